// An informer of client-go for the config maps of one namespace: a line a change that it tells, until its input ends.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

func tell(verb string, object any) {
	if configMap, ok := object.(*corev1.ConfigMap); ok {
		fmt.Println(verb, configMap.Name, configMap.Data["at"])
		return
	}
	fmt.Printf("%s %T\n", verb, object)
}

func run(kubeconfig, namespace string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactoryWithOptions(clients, 0, informers.WithNamespace(namespace))
	informer := factory.Core().V1().ConfigMaps().Informer()
	handlers := cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { tell("add", object) },
		UpdateFunc: func(_, object any) { tell("update", object) },
		DeleteFunc: func(object any) { tell("delete", object) },
	}
	if _, err := informer.AddEventHandler(handlers); err != nil {
		return err
	}
	stop := make(chan struct{})
	factory.Start(stop)
	cache.WaitForCacheSync(stop, informer.HasSynced)
	fmt.Println("synced")
	_, err = io.Copy(io.Discard, os.Stdin)
	close(stop)
	factory.Shutdown()
	return err
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "whom to ask, and as whom")
	namespace := flag.String("namespace", "default", "whose config maps are followed")
	flag.Parse()
	if err := run(*kubeconfig, *namespace); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
