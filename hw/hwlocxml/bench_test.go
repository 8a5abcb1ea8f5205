package hwlocxml_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"codeberg.org/commsplit/commsplit/hw/hwlocxml"
)

// largest lists the recorded files with the most PUs.
var largest = []string{"192em64t-12gr2n8c2t", "AMD-19h-Zen4-2xEpyc-9654"}

// BenchmarkRead reads a file, and for comparison lets the decoder read the file's tokens and do nothing.
func BenchmarkRead(b *testing.B) {
	for _, name := range largest {
		text, err := os.ReadFile(filepath.Join(recordings(), "xml", name+".xml"))
		if err != nil {
			b.Skip("no recorded topologies: set COMMSPLIT_TOPOLOGIES to their folder")
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := hwlocxml.Read(bytes.NewReader(text)); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/tokens", func(b *testing.B) {
			for b.Loop() {
				d := xml.NewDecoder(bytes.NewReader(text))
				for {
					if _, err := d.Token(); errors.Is(err, io.EOF) {
						break
					} else if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
