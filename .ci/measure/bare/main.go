// Command bare is the yardstick of the mock server: plain net/http, one handler,
// a body that was built before the start.
//
//	bare ADDRESS PATH FILE
//
// listens on ADDRESS and answers PATH, whatever its query, with the bytes of FILE.
package main

import (
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

func main() {
	address, path, file := os.Args[1], os.Args[2], os.Args[3]
	body, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	s := &http.Server{Addr: address, ReadHeaderTimeout: 10 * time.Second}
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body)
	})
	log.Fatal(s.ListenAndServe())
}
