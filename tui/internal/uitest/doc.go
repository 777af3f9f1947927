// Package uitest helps the tests of the user interface. It compares drawings
// with those kept in testdata (go test -update keeps new ones), drives a screen
// the way the frame does, and draws frames as pictures for the documentation.
//
// Only tests import it, and it must not import a screen, a widget but detail, or
// the root model.
package uitest
