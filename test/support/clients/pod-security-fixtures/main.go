// Prints the pods that upstream's Pod Security tests are made of, and upstream's verdicts on each, one JSON object a line.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/yaml"
)

// Versions from v1.0 on whose verdicts are printed: every one that there is, and some of the future.
const versions = 40

type fixture struct {
	// Paths, as level/version/pass|fail/name, that hold this pod.
	Paths []string    `json:"paths"`
	Pod   *corev1.Pod `json:"pod"`
	// Verdicts by level: an entry for each version; empty where the pod is allowed.
	Details map[api.Level][]string `json:"details"`
	Reasons map[api.Level][]string `json:"reasons"`
}

func main() {
	root := os.Args[1]
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	check(err)
	files, err := filepath.Glob(filepath.Join(root, "*", "v*", "*", "*.yaml"))
	check(err)
	known := map[[32]byte]*fixture{}
	var order []*fixture
	for _, file := range files {
		content, err := os.ReadFile(file)
		check(err)
		key := sha256.Sum256(content)
		if known[key] == nil {
			known[key] = judge(evaluator, content)
			order = append(order, known[key])
		}
		path := strings.TrimPrefix(filepath.ToSlash(file), filepath.ToSlash(root)+"/")
		known[key].Paths = append(known[key].Paths, path)
	}
	out := json.NewEncoder(os.Stdout)
	for _, one := range order {
		check(out.Encode(one))
	}
}

func judge(evaluator policy.Evaluator, content []byte) *fixture {
	pod := &corev1.Pod{}
	check(yaml.Unmarshal(content, pod))
	one := &fixture{Pod: pod, Details: map[api.Level][]string{}, Reasons: map[api.Level][]string{}}
	for _, level := range []api.Level{api.LevelPrivileged, api.LevelBaseline, api.LevelRestricted} {
		for minor := 0; minor < versions; minor++ {
			at := api.LevelVersion{Level: level, Version: api.MajorMinorVersion(1, minor)}
			result := policy.AggregateCheckResults(evaluator.EvaluatePod(at, &pod.ObjectMeta, &pod.Spec))
			one.Details[level] = append(one.Details[level], result.ForbiddenDetail())
			one.Reasons[level] = append(one.Reasons[level], result.ForbiddenReason())
		}
	}
	return one
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
