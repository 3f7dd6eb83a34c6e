//go:build gogo

package main

import api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"

// base is empty: code that gogo generated asks for no methods beyond the API's.
type base struct{}

func allocated(request *api.ContainerAllocateRequest) []string { return request.DevicesIDs }
func started(request *api.PreStartContainerRequest) []string   { return request.DevicesIDs }
