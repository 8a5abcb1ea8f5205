package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"time"
)

// tarball packs the files in a folder as tar.gz.
func tarball(folder string, files []file, when time.Time) ([]byte, error) {
	inside := make([]file, len(files))
	for i, f := range files {
		inside[i] = file{path.Join(folder, f.name), f.mode, f.data}
	}
	packed, err := tarred(inside, when)
	if err != nil {
		return nil, err
	}
	return gzipped(packed)
}

// tarred packs the files as tar. A name that ends with / is a folder.
func tarred(files []file, when time.Time) ([]byte, error) {
	var b bytes.Buffer
	t := tar.NewWriter(&b)
	for _, f := range files {
		head := &tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.data)), ModTime: when, Format: tar.FormatUSTAR}
		if err := t.WriteHeader(head); err != nil {
			return nil, err
		}
		if _, err := t.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := t.Close()
	return b.Bytes(), err
}

// gzipped compresses without a time and a name.
func gzipped(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = z.Write(data)
	err = errors.Join(err, z.Close())
	return b.Bytes(), err
}

// zipped packs the files in a folder as zip.
func zipped(folder string, files []file, when time.Time) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		head := &zip.FileHeader{Name: path.Join(folder, f.name), Method: zip.Deflate, Modified: when}
		head.SetMode(os.FileMode(f.mode))
		w, err := z.CreateHeader(head)
		if err != nil {
			return nil, err
		}
		if _, err := io.Copy(w, bytes.NewReader(f.data)); err != nil {
			return nil, err
		}
	}
	err := z.Close() // which writes the directory
	return b.Bytes(), err
}
