import { join } from 'node:path';
import type { Fetched } from './cache.ts';
import { goProgram } from './go-program.ts';

const source = join(import.meta.dirname, 'device-plugin');

/** The versions of grpc-go that the device plugin is built with. Versions before 1.57 send the path of a socket as `:authority`. */
export const GRPC_GO = ['current', '1.56', '1.40', '1.27'] as const;

/** A device plugin with the k8s.io/kubelet from the time of that grpc-go. */
export const buildDevicePlugin = (grpc: (typeof GRPC_GO)[number]): Promise<Fetched> =>
  goProgram({
    name: `device-plugin-${grpc}`,
    source,
    file: 'device-plugin',
    ...(grpc === 'current' ? {} : { modfile: `grpc-${grpc}.mod`, tags: ['gogo'] }),
  });

/** A monitor that prints the devices in the pod resources API. */
export const buildDeviceMonitor = (): Promise<Fetched> =>
  goProgram({ name: 'device-monitor', source, main: './monitor', file: 'monitor' });
