// Command kube-scheduler is upstream's scheduler without plugins of our own, built as every scheduler outside of upstream's tree is.
package main

import (
	"os"

	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-scheduler/app"
)

func main() {
	os.Exit(cli.Run(app.NewSchedulerCommand()))
}
