// Command monitor shows who has which device, as monitoring agents do: it asks the kubelet's pod resources API, v1 and v1alpha1, and prints
// a line for each device with the labels that a metric of the device would have. It prints again whenever an answer changes.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"sort"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"k8s.io/kubelet/pkg/apis/podresources/v1"
	"k8s.io/kubelet/pkg/apis/podresources/v1alpha1"
)

func line(call, pod, namespace, container, resource, device string) string {
	return fmt.Sprintf("%s{pod=%q,namespace=%q,container=%q,resource=%q,device=%q} 1", call, pod, namespace, container, resource, device)
}

// linesOf has a line for each device of a pod.
func linesOf(call string, pod *v1.PodResources) []string {
	lines := []string{}
	for _, container := range pod.GetContainers() {
		for _, devices := range container.GetDevices() {
			for _, id := range devices.GetDeviceIds() {
				lines = append(lines, line(call, pod.GetName(), pod.GetNamespace(), container.GetName(), devices.GetResourceName(), id))
			}
		}
	}
	return lines
}

func ask(ctx context.Context, connection grpc.ClientConnInterface) ([]string, error) {
	lines := []string{}
	api := v1.NewPodResourcesListerClient(connection)
	list, err := api.List(ctx, &v1.ListPodResourcesRequest{})
	if err != nil {
		return nil, fmt.Errorf("List of v1: %w", err)
	}
	for _, pod := range list.GetPodResources() {
		lines = append(lines, linesOf("list", pod)...)
		one, err := api.Get(ctx, &v1.GetPodResourcesRequest{PodName: pod.GetName(), PodNamespace: pod.GetNamespace()})
		if err != nil {
			return nil, fmt.Errorf("Get of v1: %w", err)
		}
		lines = append(lines, linesOf("get", one.GetPodResources())...)
	}
	allocatable, err := api.GetAllocatableResources(ctx, &v1.AllocatableResourcesRequest{})
	if err != nil {
		return nil, fmt.Errorf("GetAllocatableResources of v1: %w", err)
	}
	for _, devices := range allocatable.GetDevices() {
		for _, id := range devices.GetDeviceIds() {
			lines = append(lines, line("allocatable", "", "", "", devices.GetResourceName(), id))
		}
	}
	old, err := v1alpha1.NewPodResourcesListerClient(connection).List(ctx, &v1alpha1.ListPodResourcesRequest{})
	if err != nil {
		return nil, fmt.Errorf("List of v1alpha1: %w", err)
	}
	for _, pod := range old.GetPodResources() {
		for _, container := range pod.GetContainers() {
			for _, devices := range container.GetDevices() {
				for _, id := range devices.GetDeviceIds() {
					lines = append(lines, line("list_v1alpha1", pod.GetName(), pod.GetNamespace(), container.GetName(), devices.GetResourceName(), id))
				}
			}
		}
	}
	sort.Strings(lines)
	return lines, nil
}

func main() {
	connection, err := grpc.NewClient("unix://"+os.Args[1], grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		log.Fatal(err)
	}
	told := ""
	for {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		lines, err := ask(ctx, connection)
		cancel()
		if err != nil {
			lines = []string{"failed: " + err.Error()}
		}
		if now := strings.Join(append(lines, "end"), "\n"); now != told {
			fmt.Println(now)
			told = now
		}
		time.Sleep(200 * time.Millisecond)
	}
}
