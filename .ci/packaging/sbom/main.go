// Command sbom lists what a Go program was built from, as a CycloneDX 1.6 document:
// the modules that the Go tool recorded in it, with their versions and checksums.
//
//	sbom PROGRAM VERSION >chainscope.cdx.json
package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
)

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: sbom PROGRAM VERSION")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(path, version string) error {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return err
	}
	var document struct {
		Format   string `json:"bomFormat"`
		Spec     string `json:"specVersion"`
		Version  int    `json:"version"`
		Metadata struct {
			Component component `json:"component"`
		} `json:"metadata"`
		Components []component `json:"components"`
	}
	document.Format, document.Spec, document.Version = "CycloneDX", "1.6", 1
	document.Metadata.Component = newComponent("application", info.Main.Path, version)
	for _, setting := range info.Settings {
		document.Metadata.Component.Properties = append(document.Metadata.Component.Properties, property{"go:build:" + setting.Key, setting.Value})
	}
	document.Components = append(document.Components, newComponent("library", "std", info.GoVersion))
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		c := newComponent("library", m.Path, m.Version)
		c.Properties = []property{{"go:sum", m.Sum}}
		document.Components = append(document.Components, c)
	}
	e := json.NewEncoder(os.Stdout)
	e.SetIndent("", " ")
	return e.Encode(document)
}

func newComponent(kind, path, version string) component {
	purl := "pkg:golang/" + path + "@" + version
	return component{Type: kind, Ref: purl, Name: path, Version: version, PURL: purl}
}
