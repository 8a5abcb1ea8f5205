// Package lang cuts the text of a session into chunks, the unit of the prompt, of undo and of
// stepping: a command (a verb and its arguments), a top-level program statement with its indented
// block, or a meta command that starts with a dot. It knows which words are verbs and where every
// piece stands in the source, so that errors can point at it; it neither evaluates expressions nor
// checks arguments, and it does not parse programs beyond finding where a statement ends.
package lang
