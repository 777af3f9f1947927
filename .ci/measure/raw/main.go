// Command raw answers every request on a TCP connection with prepared bytes. It
// looks for the end of a request and reads nothing else of HTTP: a server that
// does less is not a server.
//
//	raw ADDRESS FILE
package main

import (
	"bytes"
	"fmt"
	"log"
	"net"
	"os"
)

func main() {
	address, file := os.Args[1], os.Args[2]
	body, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	answer := append(fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: %d\r\n\r\n", len(body)), body...)
	l, err := net.Listen("tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	for {
		conn, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go serve(conn, answer)
	}
}

// serve writes the answer for each request of a connection until it ends.
func serve(conn net.Conn, answer []byte) {
	defer conn.Close()
	buf := make([]byte, 4096)
	unread := 0
	for {
		n, err := conn.Read(buf[unread:])
		if err != nil {
			return
		}
		unread += n
		for {
			end := bytes.Index(buf[:unread], []byte("\r\n\r\n"))
			if end < 0 {
				break
			}
			if _, err := conn.Write(answer); err != nil {
				return
			}
			unread = copy(buf, buf[end+4:unread])
		}
	}
}
