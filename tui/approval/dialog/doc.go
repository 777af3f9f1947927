// Package dialog is the dialog that asks the user about a request of the
// wallet: who asks, what is signed, and one key to approve or reject it.
//
// The dialog is a plain struct: its owner passes it questions, keys and the
// time, and does what an [Answer] says. A key counts only when it came alone,
// after the question was on screen for a second with no key coming: what was
// being typed or pasted, or a key that is held, never approves; see arming.
//
// It must not import bubbletea's runtime beyond its key messages, apiclient or
// any screen, and does no I/O.
package dialog
