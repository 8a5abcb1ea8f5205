package main

import (
	"fmt"
	"strings"
)

// formula writes the recipe by which Homebrew installs the archives.
func (b *build) formula() []byte {
	var s strings.Builder
	fmt.Fprintf(&s, `class Commsplit < Formula
  desc "%s"
  homepage "%s"
  version "%s"
  license "%s"
`, strings.ToUpper(summary[:1])+summary[1:], b.home(), b.version, license)
	for _, system := range [][2]string{{"macos", "darwin"}, {"linux", "linux"}} {
		fmt.Fprintf(&s, "\n  on_%s do\n", system[0])
		for _, processor := range [][2]string{{"intel", "amd64"}, {"arm", "arm64"}} {
			name := fmt.Sprintf("commsplit-%s-%s-%s.tar.gz", b.version, system[1], processor[1])
			fmt.Fprintf(&s, "    on_%s do\n      url \"%s\"\n      sha256 \"%s\"\n    end\n", processor[0], b.address(name), b.hash(name))
		}
		s.WriteString("  end\n")
	}
	s.WriteString(`
  def install
    bin.install "commsplit"
    man1.install Dir["man/man1/*.1"]
    bash_completion.install "completions/commsplit.bash" => "commsplit"
    zsh_completion.install "completions/_commsplit"
    fish_completion.install "completions/commsplit.fish"
  end

  test do
    assert_equal "commsplit #{version}", shell_output("#{bin}/commsplit --version").chomp
  end
end
`)
	return []byte(s.String())
}

// recipe writes the recipe by which Spack installs the archives. They need no compiler, and no Go that a site may not
// have.
func (b *build) recipe() []byte {
	var sums strings.Builder
	for _, system := range [][2]string{{"linux", "linux"}, {"darwin", "darwin"}} {
		for _, goarch := range []string{"amd64", "arm64"} {
			machine := machines[goarch]
			name := fmt.Sprintf("commsplit-%s-%s-%s.tar.gz", b.version, system[1], goarch)
			fmt.Fprintf(&sums, "    (\"%s\", \"%s\"): (\"%s\",\n        \"%s\"),\n", system[0], machine, b.address(name), b.hash(name))
		}
	}
	return []byte(fmt.Sprintf(`# Spack's recipe of commsplit: the program of a release, for the system that Spack runs on.
import platform

from spack.package import *

_archives = {
%s}
_machine = {"arm64": "aarch64", "amd64": "x86_64"}.get(platform.machine(), platform.machine())
_archive = _archives.get((platform.system().lower(), _machine))


class Commsplit(Package):
    """%s"""

    homepage = "%s"
    license("%s")

    if _archive:
        version("%s", url=_archive[0], sha256=_archive[1])

    def install(self, spec, prefix):
        mkdirp(prefix.bin)
        install("commsplit", prefix.bin)
        install_tree("man", prefix.share.man)
        mkdirp(prefix.share.join("bash-completion/completions"))
        install("completions/commsplit.bash", prefix.share.join("bash-completion/completions/commsplit"))
        mkdirp(prefix.share.join("zsh/site-functions"))
        install("completions/_commsplit", prefix.share.join("zsh/site-functions"))
`, sums.String(), strings.TrimSpace(wrapped(description, "    ")), b.home(), license, b.version))
}
