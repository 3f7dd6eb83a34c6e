import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunningProgram } from '#test/clients/e2e/program.ts';
import { shell } from '../builders.ts';
import { PAUSE, type TestImage } from '../images.ts';

/** The resource of the plugin. */
export const FOO = 'hardware-vendor.example/foo';
/** The file that lists broken devices. */
export const UNHEALTHY = '/run/unhealthy-foo';

const UNIT = join(import.meta.dirname, 'foo-device-plugin.service');

/** The image of the documentation's pod, with a shell added. */
export const DOCUMENTS_PAUSE: TestImage = { ...PAUSE, name: 'registry.k8s.io/pause:3.8' };

/** The pod on kubernetes.io's page about device plugins. */
export const DEMO_POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'demo-pod' },
  spec: {
    containers: [{ name: 'demo-container-1', image: DOCUMENTS_PAUSE.name, resources: { limits: { [FOO]: 2 } } }],
  },
};

/** The pod under another name, bound to the node directly, so no scheduler counts its devices. */
export const boundPod = (name: string): object => ({
  ...DEMO_POD,
  metadata: { name },
  spec: { ...DEMO_POD.spec, nodeName: 'n1' },
});

/** Starts a plugin as if from a shell. */
export const byHand = (program: string): RunningProgram => new RunningProgram(program, ['--unhealthy', UNHEALTHY]);

/**
 * Starts the command in the unit file as systemd does: without a shell, with only the unit's environment variables, and in the root folder.
 * `program` replaces the installed file.
 */
export function byUnit(program: string): RunningProgram {
  const settings = readFileSync(UNIT, 'utf8').split('\n');
  const valuesOf = (key: string): string[] =>
    settings.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1));
  const [, ...args] = valuesOf('ExecStart')[0]?.split(' ') ?? [];
  return new RunningProgram('env', ['-i', ...valuesOf('Environment'), 'setsid', program, ...args], { cwd: '/' });
}

/** A privileged DaemonSet of a program in its own image. A folder of the machine is mounted at the same path. */
export const daemonSet = (name: string, command: readonly string[], folder: string): object => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        terminationGracePeriodSeconds: 1,
        priorityClassName: 'system-node-critical',
        containers: [
          {
            ...shell(''),
            image: imageOf(name),
            command,
            securityContext: { privileged: true },
            volumeMounts: [{ name: 'folder', mountPath: folder }],
          },
        ],
        volumes: [{ name: 'folder', hostPath: { path: folder } }],
      },
    },
  },
});

const imageOf = (name: string): string => `localhost/${name}:1`;

/** The image of a DaemonSet: busybox and the program. */
export const imageWith = (name: string, program: string): TestImage => ({
  name: imageOf(name),
  files: { [`bin/${name}`]: program },
});
