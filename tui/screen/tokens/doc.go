// Package tokens is the Tokens place of the explorer: a list of tokens to pick
// from (the mock's catalogue, those shown before, what is typed) and the
// detail of one fungible or non-fungible token, in any of its locales.
//
// Everything a token says is hostile text: it reaches the screen through
// tui/text only, and its pictures through tui/widget/picture. The package must
// not import the mock server, the wallet or another screen.
package tokens
