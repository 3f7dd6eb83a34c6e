// A webhook on controller-runtime, as operators have them: it labels config maps, and refuses those that say so.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

var decoder = admission.NewDecoder(scheme())

func scheme() *runtime.Scheme {
	known := runtime.NewScheme()
	if err := corev1.AddToScheme(known); err != nil {
		panic(err)
	}
	return known
}

func mutate(_ context.Context, request admission.Request) admission.Response {
	object := &corev1.ConfigMap{}
	if err := decoder.Decode(request, object); err != nil {
		return admission.Errored(http.StatusBadRequest, err)
	}
	if object.Labels == nil {
		object.Labels = map[string]string{}
	}
	object.Labels["seen-by"] = "go"
	patched, err := json.Marshal(object)
	if err != nil {
		return admission.Errored(http.StatusInternalServerError, err)
	}
	return admission.PatchResponseFromRaw(request.Object.Raw, patched)
}

func validate(_ context.Context, request admission.Request) admission.Response {
	object := &corev1.ConfigMap{}
	if err := decoder.Decode(request, object); err != nil {
		return admission.Errored(http.StatusBadRequest, err)
	}
	if object.Data["refuse"] != "" {
		return admission.Denied("go says " + object.Data["refuse"])
	}
	return admission.Allowed("").WithWarnings("go was here")
}

func serve(path string, handle admission.HandlerFunc) {
	hook := &admission.Webhook{Handler: handle}
	handler, err := admission.StandaloneWebhook(hook, admission.StandaloneOptions{})
	if err != nil {
		panic(err)
	}
	http.Handle(path, handler)
}

// Usage: webhook ADDRESS CERTIFICATE KEY
func main() {
	serve("/mutate", mutate)
	serve("/validate", validate)
	fmt.Println("ready")
	panic(http.ListenAndServeTLS(os.Args[1], os.Args[2], os.Args[3], nil))
}
