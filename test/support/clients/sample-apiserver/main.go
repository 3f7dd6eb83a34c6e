// Upstream's sample-apiserver as it is, with an etcd of its own in the same process.
package main

import (
	"context"
	"fmt"
	"net/url"
	"os"

	"go.etcd.io/etcd/server/v3/embed"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/component-base/cli"
	"k8s.io/sample-apiserver/pkg/cmd/server"
)

// The first argument is the folder of etcd's data, the second its URL; the rest are the flags of the sample-apiserver.
func main() {
	folder, address := os.Args[1], os.Args[2]
	etcd, err := startEtcd(folder, address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Args = append(os.Args[:1], append([]string{"--etcd-servers=" + address}, os.Args[3:]...)...)
	code := run(genericapiserver.SetupSignalContext())
	etcd.Close()
	os.Exit(code)
}

func run(ctx context.Context) int {
	options := server.NewWardleServerOptions(os.Stdout, os.Stderr)
	return cli.Run(server.NewCommandStartWardleServer(ctx, options, false))
}

func startEtcd(folder, address string) (*embed.Etcd, error) {
	client, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	config := embed.NewConfig()
	config.Dir = folder
	config.LogLevel = "error"
	config.UnsafeNoFsync = true
	config.ListenClientUrls = []url.URL{*client}
	config.AdvertiseClientUrls = config.ListenClientUrls
	config.ListenPeerUrls = []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		return nil, err
	}
	<-etcd.Server.ReadyNotify()
	return etcd, nil
}
