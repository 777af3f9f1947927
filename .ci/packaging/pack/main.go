// Command pack writes an archive whose bytes depend on nothing but its files: their
// times are the one given, their owner is nobody in particular, their order is that
// of the arguments.
//
//	pack OUT.tar.gz|OUT.zip SECONDS DIRECTORY
//
// packs all files below DIRECTORY, under its own name, with the time SECONDS since 1970.
package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: pack OUT.tar.gz|OUT.zip SECONDS DIRECTORY")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// entry is a file of the archive.
type entry struct {
	name string // with slashes, the directory first
	mode fs.FileMode
	data []byte
}

func run(out, seconds, dir string) error {
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return err
	}
	entries, err := read(dir)
	if err != nil {
		return err
	}
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	at := time.Unix(n, 0).UTC()
	if strings.HasSuffix(out, ".zip") {
		err = writeZip(file, entries, at)
	} else {
		err = writeTar(file, entries, at)
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	return err
}

// read returns the files below a directory in the order of their names.
func read(dir string) ([]entry, error) {
	var entries []entry
	base := filepath.Dir(filepath.Clean(dir))
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(base, path)
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		entries = append(entries, entry{filepath.ToSlash(name), mode, data})
		return nil
	})
	return entries, err
}

func writeTar(w io.Writer, entries []entry, at time.Time) error {
	gz, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	tw := tar.NewWriter(gz)
	for _, e := range entries {
		header := &tar.Header{Name: e.name, Mode: int64(e.mode), Size: int64(len(e.data)), ModTime: at, Format: tar.FormatUSTAR}
		if err := tw.WriteHeader(header); err != nil {
			return err
		}
		if _, err := tw.Write(e.data); err != nil {
			return err
		}
	}
	if err := tw.Close(); err != nil {
		return err
	}
	return gz.Close()
}

func writeZip(w io.Writer, entries []entry, at time.Time) error {
	zw := zip.NewWriter(w)
	for _, e := range entries {
		header := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at}
		header.SetMode(e.mode)
		f, err := zw.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := f.Write(e.data); err != nil {
			return err
		}
	}
	return zw.Close()
}
