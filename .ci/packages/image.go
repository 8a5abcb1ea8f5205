package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// object is a JSON object, whose keys are written in order.
type object = map[string]any

// image writes a container's image that has only the program, for docker load and podman load: a layout of the Open
// Container Initiative, with the manifest.json that Docker looks for beside it.
func (b *build) image(goarch string, files []file) ([]byte, error) {
	files = append(files, file{"tmp/", 0o1777, nil}, file{"work/", 0o1777, nil}) // the program's home, and the person's files
	layer, err := tarred(files, b.when)
	if err != nil {
		return nil, err
	}
	packed, err := gzipped(layer)
	if err != nil {
		return nil, err
	}
	var blobs []file
	var failed error
	blob := func(kind string, data []byte) object {
		hash := fmt.Sprintf("%x", sha256.Sum256(data))
		blobs = append(blobs, file{"blobs/sha256/" + hash, 0o644, data})
		return object{"mediaType": "application/vnd.oci.image." + kind, "digest": "sha256:" + hash, "size": len(data)}
	}
	written := func(o any) []byte {
		data, err := json.Marshal(o)
		if err != nil {
			failed = err
		}
		return data
	}
	layers := blob("layer.v1.tar+gzip", packed)
	config := blob("config.v1+json", written(object{
		"created": b.when, "architecture": goarch, "os": "linux",
		"config": object{"Entrypoint": []string{"/usr/bin/commsplit"}, "Env": []string{"PATH=/usr/bin", "HOME=/tmp", "TERM=xterm-256color"},
			"User": "65534:65534", "WorkingDir": "/work", "Labels": object{
				"org.opencontainers.image.title": "commsplit", "org.opencontainers.image.version": b.version,
				"org.opencontainers.image.source": b.home(), "org.opencontainers.image.licenses": license}},
		"rootfs": object{"type": "layers", "diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(layer))}},
	}))
	manifest := blob("manifest.v1+json", written(object{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
		"config": config, "layers": []object{layers}}))
	manifest["platform"] = object{"architecture": goarch, "os": "linux"}
	manifest["annotations"] = object{"org.opencontainers.image.ref.name": b.version}
	index := object{"schemaVersion": 2, "manifests": []object{manifest}}
	docker := []object{{"Config": blobs[1].name, "Layers": []string{blobs[0].name}, "RepoTags": []string{"commsplit:" + b.version}}}
	files = append([]file{{"oci-layout", 0o644, written(object{"imageLayoutVersion": "1.0.0"})},
		{"index.json", 0o644, written(index)}, {"manifest.json", 0o644, written(docker)}}, blobs...)
	if failed != nil {
		return nil, failed
	}
	return tarred(files, b.when)
}
