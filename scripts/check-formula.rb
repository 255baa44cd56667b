# Holds a formula against the archives that it names: ruby scripts/check-formula.rb FORMULA PACKAGES VERSION.
# Homebrew is stood in for by what records the words of its language, for each of its two kinds of CPU.
require "digest"

class Formula
  @said = Hash.new { |all, cpu| all[cpu] = {} }
  @cpu = :both
  class << self
    attr_reader :said, :cpu

    def inherited(formula)
      super
      formula.instance_variable_set(:@said, Hash.new { |all, cpu| all[cpu] = {} })
      formula.instance_variable_set(:@cpu, :both)
    end

    %i[desc homepage version license url sha256 depends_on].each do |word|
      define_method(word) { |value| said[cpu][word] = value }
    end

    { on_intel: :x86_64, on_arm: :aarch64 }.each do |word, machine|
      define_method(word) do |&block|
        @cpu = machine
        block.call
        @cpu = :both
      end
    end

    def test(&); end
  end
end

formula, packages, version = ARGV
load File.expand_path(formula)
said = Pgdyno.said
abort "its version is #{said[:both][:version]}, not #{version}" unless said[:both][:version] == version
abort "its description is longer than Homebrew takes" if said[:both][:desc].size > 80
abort "its description begins with an article or ends with a stop" if said[:both][:desc] =~ /\A(an?|the) |\.\z/i
abort "it installs nothing" unless Pgdyno.method_defined?(:install)
machines = said.keys - [:both]
abort "it has no archive" if machines.empty?
machines.each do |machine|
  archive = File.join(packages, "pgdyno-#{version}-linux-#{machine}.tar.gz")
  abort "#{said[machine][:url]} is not #{archive}" unless File.basename(said[machine][:url]) == File.basename(archive)
  abort "its sum is not that of #{archive}" unless said[machine][:sha256] == Digest::SHA256.file(archive).hexdigest
end
