// Package api is what the API shows of a world: its routes in every version, the requests that
// they take, and the answers in the bytes of the real services.
//
// The routes are in routetable.go. A file holds the handlers of one group of them, and a name that
// ends in v2 or v3 those of that version. A handler reads an Exchange and answers through its
// methods only, so that header rules hold everywhere; what it depends on beside the world is the
// Service. Where the API pushes, feed.go writes the events that package push sends.
//
// The package knows neither the server before it, which makes the Service and passes it one Exchange
// for each request, nor faults, tapes and the control interface. Of that it has the three answers
// that show transactions: why, trace and forecast.
package api
