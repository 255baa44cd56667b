//! How a server was built, as far as it can change how fast it is: the options of `configure` and the compiler's flags
//! that `pg_config` tells, without paths, warnings, and what only says how building went or what comes with it. So two
//! builds of one source in different directories are alike.

use std::collections::BTreeSet;

/// Options that change nothing about how fast a server is: how it is built and called, what it says in which language,
/// tests, symbols for debuggers, and languages for functions.
const WITHOUT_EFFECT: [&str; 19] = [
    "build",
    "disable-dependency-tracking",
    "disable-maintainer-mode",
    "disable-option-checking",
    "disable-rpath",
    "disable-silent-rules",
    // It was the default, and is no option any more from version 17 on.
    "enable-thread-safety",
    "enable-debug",
    "enable-nls",
    "enable-tap-tests",
    "exec-prefix",
    "host",
    "prefix",
    "with-extra-version",
    "with-gnu-ld",
    "with-perl",
    "with-pgport",
    "with-python",
    "with-tcl",
];

/// The options of `configure` that can matter; none where the text has no words at all, as of builds that were not made
/// with it.
pub(super) fn relevant_configure_options(configure: &str) -> Option<BTreeSet<String>> {
    let words = split_shell_words(configure);
    (!words.is_empty()).then(|| words.into_iter().filter(|word| is_relevant_option(word)).collect())
}

fn is_relevant_option(word: &str) -> bool {
    // What is no option is a variable: a program of the building machine, or flags that are told elsewhere.
    let Some(option) = word.strip_prefix("--") else { return false };
    let name = option.split('=').next().unwrap_or_default();
    let is_path = option.contains('/') || name.ends_with("dir");
    !(is_path || WITHOUT_EFFECT.contains(&name))
}

/// The compiler's flags that can matter.
pub(super) fn relevant_compiler_flags(cflags: &str) -> BTreeSet<String> {
    cflags.split_whitespace().filter(is_relevant_flag).map(str::to_owned).collect()
}

fn is_relevant_flag(flag: &&str) -> bool {
    // -Wp, -Wa and -Wl pass options on; everything else of the kind is a warning.
    let is_warning = flag.starts_with("-W") && !flag.contains(',');
    let is_for_debuggers = flag.starts_with("-g");
    !(is_warning || is_for_debuggers || flag.contains('/'))
}

/// `gcc 16.2.0` out of the long string of `version()`, without the package of the compiler; none where it does not say
/// so.
pub(super) fn compiler_in_words(version: &str) -> Option<String> {
    let (_, compiler) = version.split_once(" compiled by ")?;
    let compiler = compiler.split(", ").next()?;
    let mut outside = String::new();
    let mut depth = 0_u32;
    for letter in compiler.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => outside.push(letter),
            _ => {}
        }
    }
    let mut words = outside.split_whitespace();
    // `x86_64-linux-gnu-gcc`
    let program = words.next()?.rsplit('-').next()?;
    let number = words.rfind(|word| word.starts_with(|letter: char| letter.is_ascii_digit()))?;
    Some(format!("{program} {number}"))
}

/// The words of a command line as a shell reads it, as far as `configure` writes it: single quotes and backslashes.
fn split_shell_words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), None::<String>, false);
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            '\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            '\\' if !is_quoted => word.get_or_insert_default().extend(characters.next()),
            space if space.is_whitespace() && !is_quoted => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Debian builds it, shortened.
    const DEBIAN: &str = " '--build=x86_64-linux-gnu' '--prefix=/usr' '--includedir=${prefix}/include' \
        '--disable-silent-rules' '--with-perl' '--with-pam' '--with-openssl' '--docdir=/usr/share/doc/postgresql-doc-15' \
        '--with-extra-version= (Debian 15.18-0+deb12u1)' '--enable-nls' '--enable-dtrace' '--with-uuid=e2fs' \
        '--with-pgport=5432' '--with-system-tzdata=/usr/share/zoneinfo' 'AWK=mawk' 'MKDIR_P=/bin/mkdir -p' \
        'CFLAGS=-g -O2 -fno-omit-frame-pointer' '--with-llvm' 'CLANG=/usr/bin/clang-14'";

    #[test]
    fn compiler_is_its_program_and_its_version() {
        let cases = [
            (
                "PostgreSQL 19rc1 (Debian 19~rc1-1) on x86_64-pc-linux-gnu, compiled by x86_64-linux-gnu-gcc (Debian \
                 16.2.0-3) 16.2.0, 64-bit",
                Some("gcc 16.2.0"),
            ),
            (
                "PostgreSQL 18.6 on x86_64-pc-linux-gnu, compiled by gcc (Ubuntu 7.5.0-3ubuntu1~18.04) 7.5.0, 64-bit",
                Some("gcc 7.5.0"),
            ),
            ("PostgreSQL 17.2 on aarch64-linux-musl, compiled by clang version 18.1.8, 64-bit", Some("clang 18.1.8")),
            ("PostgreSQL 17.6 on x86_64", None),
        ];
        for (version, compiler) in cases {
            assert_eq!(compiler_in_words(version).as_deref(), compiler, "{version}");
        }
    }

    fn of(configure: &str) -> Option<String> {
        relevant_configure_options(configure).map(|options| options.into_iter().collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn of_the_options_those_remain_that_can_matter() {
        let expected = "--enable-dtrace --with-llvm --with-openssl --with-pam --with-uuid=e2fs";
        assert_eq!(of(DEBIAN).as_deref(), Some(expected));
        assert_eq!(of("'--prefix=/opt/a' '--enable-cassert'"), of("--enable-cassert --prefix=/home/it\\'s/b"));
        assert_eq!(of("--prefix=/opt/a").as_deref(), Some(""));
        assert_eq!(of("  "), None, "it was not built by configure, or without any option");
    }

    #[test]
    fn of_the_flags_warnings_and_paths_are_left_out() {
        let said = "-Wall -Wno-format-truncation -fwrapv -g -ggdb3 -O2 -flto=auto -Wp,-D_FORTIFY_SOURCE=2 \
                    -ffile-prefix-map=/build/a=. -I/usr/include";
        let expected = ["-O2", "-Wp,-D_FORTIFY_SOURCE=2", "-flto=auto", "-fwrapv"];
        assert_eq!(relevant_compiler_flags(said), BTreeSet::from(expected.map(str::to_owned)));
    }

    #[test]
    fn quotes_and_backslashes_are_those_of_a_shell() {
        let line = r"'--with-extra-version= (it'\''s)' a\ b  '' c";
        assert_eq!(split_shell_words(line), ["--with-extra-version= (it's)", "a b", "", "c"]);
    }
}
