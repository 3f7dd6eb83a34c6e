//go:build !gogo

package main

import api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"

// base has the methods that a server of generated code must have.
type base struct {
	api.UnimplementedDevicePluginServer
}

func allocated(request *api.ContainerAllocateRequest) []string { return request.DevicesIds }
func started(request *api.PreStartContainerRequest) []string   { return request.DevicesIds }
