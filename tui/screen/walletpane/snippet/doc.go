// Package snippet writes a request to the wallet in other words: the JavaScript
// that would do the same with @stacks/connect, and our command line. It is pure.
// What it writes is text for a clipboard: hidden characters of a page are
// written as escapes in JavaScript, so that what is pasted can be read.
package snippet
