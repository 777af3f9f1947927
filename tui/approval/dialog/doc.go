// Package dialog is the dialog that asks a person about a request of the
// wallet: who asks, what is signed, and one key to approve or reject it.
//
// The dialog is a plain struct: its owner hands it questions, keys and the
// time, and does what an [Answer] says. A key counts only after the keyboard
// was quiet, so that what somebody was typing, or a key that is held, never
// approves; see arming.
//
// It must not import bubbletea's runtime beyond its key messages, apiclient or
// any screen, and does no I/O.
package dialog
