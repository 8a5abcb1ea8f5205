package cmd

import (
	"bytes"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// nameDefaults words the help of cobra's command completion as that of the other commands, and lets the command
// refuse an unknown shell.
func nameDefaults(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Short, c.Args = "print the completion script of a shell", knownCommand
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

// needsPackage is the sentence in cobra's bash script that asks for the package bash-completion.
const needsPackage = `This script depends on the 'bash-completion' package.
If it is not installed already, you can install it via your OS's package manager.

`

// wordsOfPackage is the line of cobra's script that gets the words of the command line from the package
// bash-completion, which many machines do not have.
const wordsOfPackage = `_get_comp_words_by_ref "$@" cur prev words cword`

// wordsOfLine gets the words of the command line without that package.
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

// wordsOfFish is the part of cobra's fish script that takes the words of the command line without their quotes;
// the script then runs the words.
const wordsOfFish = "commandline -opc"

// mended returns the code of a command that writes cobra's script with before put in front and the text theirs
// replaced by ours.
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
