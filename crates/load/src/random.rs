//! The streams of random numbers that the clients of a job have, each pgbench's of the same client.

use work::Random;

/// The streams of one client, which depend on the job's seed and number of clients and on the client's number only.
#[derive(Debug, Clone)]
pub(crate) struct ClientRandom {
    /// What its scripts draw from; pgbench's stream of the same client.
    pub(crate) script: Random,
    /// What decides which script comes next. pgbench draws these per thread; here they are the client's own, so that
    /// the number of threads does not change what a client does. With as many threads as clients, pgbench's choices are
    /// the same.
    pub(crate) choice: Random,
}

/// Who has set the variable `default_seed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DefaultSeed {
    /// The job; then pgbench does not draw it.
    Defined,
    /// Nobody.
    Drawn,
}

impl ClientRandom {
    /// pgbench's variable `default_seed` in a job of so many clients: its next draw after the clients' seeds.
    pub(crate) fn default_seed(seed: u64, clients: u32) -> u64 {
        seeds_after_clients(seed, clients).next_bits()
    }

    /// The streams of all clients, by number.
    pub(crate) fn streams_of_clients(
        seed: u64,
        clients: u32,
        default_seed: DefaultSeed,
    ) -> impl Iterator<Item = ClientRandom> {
        let mut scripts = Random::new(seed);
        let mut choices = seeds_after_clients(seed, clients);
        if default_seed == DefaultSeed::Drawn {
            choices.next_bits();
        }
        std::iter::repeat_with(move || {
            let streams =
                ClientRandom { script: Random::new(scripts.next_bits()), choice: Random::new(choices.next_bits()) };
            // pgbench's threads have two more streams, for rates and for logs.
            choices.next_bits();
            choices.next_bits();
            streams
        })
        .take(clients as usize)
    }
}

/// The stream of seeds behind those of the clients.
fn seeds_after_clients(seed: u64, clients: u32) -> Random {
    let mut seeds = Random::new(seed);
    (0..clients).for_each(|_| {
        seeds.next_bits();
    });
    seeds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_draws_the_same_numbers_whatever_the_number_of_clients() {
        let drawn = |clients| -> Vec<u64> {
            ClientRandom::streams_of_clients(7, clients, DefaultSeed::Drawn)
                .map(|mut client| client.script.next_bits())
                .collect()
        };
        let (few, many) = (drawn(2), drawn(9));
        assert_eq!(few, many[..2]);
        assert_ne!(many[0], many[1]);
    }
}
