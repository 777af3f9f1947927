// Package interop hands what the built binary signed to the libraries that real
// dapps use. It needs node and the npm registry, hence its build tag.
package interop
