// Command device-plugin offers made-up devices to a kubelet by k8s.io/kubelet's device plugin API v1beta1, as vendors' plugins do: it
// serves a socket of its own, registers, and registers again whenever the kubelet's socket is another file. It builds with
// every grpc-go that the go.mod files of this folder name.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"google.golang.org/grpc"
	api "k8s.io/kubelet/pkg/apis/deviceplugin/v1beta1"
)

type plugin struct {
	base
	resource  string
	count     int
	unhealthy string
}

// devices lists foo-0 and so on; a file named in --unhealthy has the IDs of those that are broken, one a line.
func (p plugin) devices() []*api.Device {
	listed, _ := os.ReadFile(p.unhealthy)
	broken := map[string]bool{}
	for _, id := range strings.Fields(string(listed)) {
		broken[id] = true
	}
	all := make([]*api.Device, p.count)
	for i := range all {
		all[i] = &api.Device{ID: fmt.Sprintf("foo-%d", i), Health: api.Healthy}
		if broken[all[i].ID] {
			all[i].Health = api.Unhealthy
		}
	}
	return all
}

func (p plugin) GetDevicePluginOptions(context.Context, *api.Empty) (*api.DevicePluginOptions, error) {
	return &api.DevicePluginOptions{PreStartRequired: true, GetPreferredAllocationAvailable: true}, nil
}

func (p plugin) ListAndWatch(_ *api.Empty, stream api.DevicePlugin_ListAndWatchServer) error {
	told := ""
	for {
		list := p.devices()
		if now := fmt.Sprint(list); now != told {
			if err := stream.Send(&api.ListAndWatchResponse{Devices: list}); err != nil {
				return err
			}
			told = now
		}
		select {
		case <-stream.Context().Done():
			return nil
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// GetPreferredAllocation prefers the last devices, so that a test sees whose choice it was.
func (p plugin) GetPreferredAllocation(_ context.Context, all *api.PreferredAllocationRequest) (*api.PreferredAllocationResponse, error) {
	answer := &api.PreferredAllocationResponse{}
	for _, request := range all.ContainerRequests {
		chosen := append([]string{}, request.MustIncludeDeviceIDs...)
		list := p.devices()
		for i := len(list) - 1; i >= 0 && len(chosen) < int(request.AllocationSize); i-- {
			if contains(request.AvailableDeviceIDs, list[i].ID) && !contains(chosen, list[i].ID) {
				chosen = append(chosen, list[i].ID)
			}
		}
		answer.ContainerResponses = append(answer.ContainerResponses, &api.ContainerPreferredAllocationResponse{DeviceIDs: chosen})
	}
	return answer, nil
}

func contains(all []string, one string) bool {
	for _, id := range all {
		if id == one {
			return true
		}
	}
	return false
}

func (p plugin) Allocate(_ context.Context, all *api.AllocateRequest) (*api.AllocateResponse, error) {
	answer := &api.AllocateResponse{}
	for _, request := range all.ContainerRequests {
		given := allocated(request)
		log.Printf("Allocate %s", strings.Join(given, ","))
		response := &api.ContainerAllocateResponse{
			Envs:        map[string]string{"FOO_DEVICES": strings.Join(given, ",")},
			Annotations: map[string]string{"hardware-vendor.example/devices": strings.Join(given, ",")},
		}
		for _, id := range given {
			response.Devices = append(response.Devices, &api.DeviceSpec{ContainerPath: "/dev/" + id, HostPath: "/dev/null", Permissions: "rw"})
		}
		answer.ContainerResponses = append(answer.ContainerResponses, response)
	}
	return answer, nil
}

func (p plugin) PreStartContainer(_ context.Context, request *api.PreStartContainerRequest) (*api.PreStartContainerResponse, error) {
	log.Printf("PreStartContainer %s", strings.Join(started(request), ","))
	return &api.PreStartContainerResponse{}, nil
}

// register dials the kubelet as plugins of vendors do: with the path as the target, which old grpc-go also sends as :authority.
func (p plugin) register(kubelet, endpoint string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	connection, err := grpc.DialContext(ctx, kubelet, grpc.WithInsecure(), grpc.WithBlock(),
		grpc.WithContextDialer(func(ctx context.Context, path string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", path)
		}))
	if err != nil {
		return err
	}
	defer connection.Close()
	_, err = api.NewRegistrationClient(connection).Register(ctx, &api.RegisterRequest{
		Version:      api.Version,
		Endpoint:     endpoint,
		ResourceName: p.resource,
		Options:      &api.DevicePluginOptions{PreStartRequired: true, GetPreferredAllocationAvailable: true},
	})
	return err
}

func (p plugin) serve(path string) (*grpc.Server, error) {
	if err := os.RemoveAll(path); err != nil {
		return nil, err
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	server := grpc.NewServer()
	api.RegisterDevicePluginServer(server, p)
	go server.Serve(listener)
	return server, nil
}

func main() {
	folder := flag.String("folder", api.DevicePluginPath, "the folder of the kubelet's socket and of the plugin's own")
	resource := flag.String("resource", fromEnvironment("RESOURCE", "hardware-vendor.example/foo"), "the resource's name; default $RESOURCE")
	endpoint := flag.String("endpoint", "foo.sock", "the name of the plugin's socket")
	count := flag.Int("count", 2, "how many devices there are")
	unhealthy := flag.String("unhealthy", "/run/unhealthy-foo", "the file with the IDs of broken devices")
	flag.Parse()
	p := plugin{resource: *resource, count: *count, unhealthy: *unhealthy}
	kubelet, own := filepath.Join(*folder, "kubelet.sock"), filepath.Join(*folder, *endpoint)
	var server *grpc.Server
	var registered os.FileInfo
	log.Printf("grpc-go %s", grpc.Version)
	for {
		now, err := os.Stat(kubelet)
		if err == nil && (registered == nil || !os.SameFile(registered, now)) {
			if server != nil {
				server.Stop()
			}
			if server, err = p.serve(own); err != nil {
				log.Fatal(err)
			}
			if err := p.register(kubelet, *endpoint); err != nil {
				log.Printf("cannot register: %v", err)
			} else {
				log.Printf("registered %s", *resource)
				registered = now
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func fromEnvironment(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}
