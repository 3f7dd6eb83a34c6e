// A small operator on controller-runtime: a Greeting is reconciled into a ConfigMap, a Deployment and its own status.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const finalizer = "operator.davit.test/finalizer"

var greetingKind = schema.GroupVersionKind{Group: "operator.davit.test", Version: "v1", Kind: "Greeting"}

type greeter struct {
	client.Client
	scheme *runtime.Scheme
}

func newGreeting() *unstructured.Unstructured {
	greeting := &unstructured.Unstructured{}
	greeting.SetGroupVersionKind(greetingKind)
	return greeting
}

func (g *greeter) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	greeting := newGreeting()
	if err := g.Get(ctx, req.NamespacedName, greeting); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if greeting.GetDeletionTimestamp() != nil {
		return ctrl.Result{}, g.finalize(ctx, greeting)
	}
	if controllerutil.AddFinalizer(greeting, finalizer) {
		return ctrl.Result{}, g.Update(ctx, greeting)
	}
	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	text, _, _ := unstructured.NestedString(greeting.Object, "spec", "text")
	_, err := controllerutil.CreateOrUpdate(ctx, g.Client, configMap, func() error {
		configMap.Data = map[string]string{"text": text}
		return controllerutil.SetControllerReference(greeting, configMap, g.scheme)
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	if err := g.serve(ctx, greeting); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, g.report(ctx, greeting, text)
}

// serve keeps a Deployment that the Greeting owns: the garbage collector takes it along.
func (g *greeter) serve(ctx context.Context, greeting *unstructured.Unstructured) error {
	deployment := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: greeting.GetName(), Namespace: greeting.GetNamespace()},
	}
	labels := map[string]string{"greeting": greeting.GetName()}
	_, err := controllerutil.CreateOrUpdate(ctx, g.Client, deployment, func() error {
		deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		deployment.Spec.Template.Labels = labels
		if len(deployment.Spec.Template.Spec.Containers) == 0 {
			deployment.Spec.Template.Spec.Containers = []corev1.Container{{Name: "greeter"}}
		}
		deployment.Spec.Template.Spec.Containers[0].Image = "registry.example.com/greeter"
		return controllerutil.SetControllerReference(greeting, deployment, g.scheme)
	})
	return err
}

// finalize deletes the ConfigMap itself: the operator must not depend on a garbage collector.
func (g *greeter) finalize(ctx context.Context, greeting *unstructured.Unstructured) error {
	configMap := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: greeting.GetName(), Namespace: greeting.GetNamespace()},
	}
	if err := client.IgnoreNotFound(g.Delete(ctx, configMap)); err != nil {
		return err
	}
	if !controllerutil.RemoveFinalizer(greeting, finalizer) {
		return nil
	}
	return g.Update(ctx, greeting)
}

func (g *greeter) report(ctx context.Context, greeting *unstructured.Unstructured, text string) error {
	before := greeting.DeepCopy()
	status := map[string]interface{}{"said": text, "observedGeneration": greeting.GetGeneration()}
	if err := unstructured.SetNestedMap(greeting.Object, status, "status"); err != nil {
		return err
	}
	if fmt.Sprint(before.Object["status"]) == fmt.Sprint(greeting.Object["status"]) {
		return nil
	}
	return g.Status().Patch(ctx, greeting, client.MergeFrom(before))
}

func run(ctx context.Context, elect bool) error {
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Scheme:                  scheme,
		Metrics:                 server.Options{BindAddress: "0"},
		LeaderElection:          elect,
		LeaderElectionID:        "greeter",
		LeaderElectionNamespace: "default",
		// Given back at the end: a following run need not wait for the lease to expire.
		LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(manager).
		Named("greeter").For(newGreeting()).Owns(&corev1.ConfigMap{}).Owns(&appsv1.Deployment{}).
		Complete(&greeter{Client: manager.GetClient(), scheme: scheme})
	if err != nil {
		return err
	}
	return manager.Start(ctx)
}

func main() {
	duration := flag.Duration("for", time.Minute, "how long to reconcile")
	// A leader that cannot renew its lease ends, and counts on being started again.
	elect := flag.Bool("leader-elect", true, "whether to work only as the leader")
	flag.Parse()
	ctrl.SetLogger(zap.New())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, *duration)
	defer cancel()
	if err := run(ctx, *elect); err != nil {
		ctrl.Log.Error(err, "the operator ended")
		os.Exit(1)
	}
}
