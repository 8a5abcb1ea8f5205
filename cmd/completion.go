package cmd

import (
	"bytes"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// nameDefaults describes the command that cobra adds in the words of the others, and lets it refuse a
// shell that it does not know.
func nameDefaults(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Short, c.Args = "the completion script for a shell", knownCommand
		c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		for _, shell := range c.Commands() {
			switch shell.Name() {
			case "bash":
				shell.Long = strings.Replace(shell.Long, needsPackage, "", 1)
				shell.RunE = mended((*cobra.Command).GenBashCompletionV2, wordsOfLine, wordsOfPackage, "__commsplit_words")
			case "fish":
				shell.RunE = mended((*cobra.Command).GenFishCompletion, "", wordsOfFish, "string escape -- ("+wordsOfFish+")")
			}
		}
	}
}

// needsPackage is what cobra says of its script for bash.
const needsPackage = `This script depends on the 'bash-completion' package.
If it is not installed already, you can install it via your OS's package manager.

`

// wordsOfPackage is where cobra's script asks the package bash-completion for the words of the line, which many
// machines do not have.
const wordsOfPackage = `_get_comp_words_by_ref "$@" cur prev words cword`

// wordsOfLine finds these words without the package.
const wordsOfLine = `# The words of the line up to the cursor: bash has cut them at = and : as well.
__commsplit_words()
{
    local line=${COMP_LINE:0:COMP_POINT} i word
    words=() cword=-1
    for ((i = 0; i <= COMP_CWORD; i++)); do
        if [[ cword -lt 0 || $line == [[:blank:]]* ]]; then
            line=${line#"${line%%[![:blank:]]*}"}
            words[++cword]=""
        fi
        word=${COMP_WORDS[i]:0:${#line}}
        words[cword]+=$word
        line=${line:${#word}}
    done
    cur=${words[cword]} prev=""
    if ((cword > 0)); then
        prev=${words[cword-1]}
    fi
}

`

// wordsOfFish is where cobra's script takes the words of the line, without their quotes, to run them.
const wordsOfFish = "commandline -opc"

// mended writes a script of cobra's, with something before it, and with a text in the place of cobra's.
func mended(script func(c *cobra.Command, w io.Writer, descriptions bool) error, before, theirs, ours string) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, _ []string) error {
		plain, err := c.Flags().GetBool("no-descriptions")
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := script(c.Root(), &b, !plain); err != nil {
			return err
		}
		_, err = io.WriteString(c.OutOrStdout(), before+strings.Replace(b.String(), theirs, ours, 1))
		return err
	}
}
