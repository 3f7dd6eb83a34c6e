import { BUSYBOX } from './images.ts';

/** A busybox container that runs a shell script. */
export const shell = (script: string, more: object = {}): object => ({
  name: 'main',
  image: BUSYBOX.name,
  command: ['sh', '-c', script],
  ...more,
});

/** A script that runs until it receives SIGTERM, and then ends immediately. */
export const FOREVER = 'trap "exit 0" TERM; while :; do sleep 1000 & wait $!; done';

/** A pod of one container that ends within a second. */
export const aPod = (name: string, script = FOREVER, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { app: name } },
  spec: { terminationGracePeriodSeconds: 5, containers: [shell(script)], ...more },
});

/** A workload of this kind with pods of one container. */
export const aWorkload = (kind: string, name: string, spec: object = {}, script = FOREVER): object => ({
  apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
  kind,
  metadata: { name },
  spec: {
    ...(kind === 'Job' ? {} : { selector: { matchLabels: { app: name } } }),
    template: {
      metadata: { labels: { app: name } },
      spec: {
        terminationGracePeriodSeconds: 1,
        ...(kind === 'Job' ? { restartPolicy: 'Never' } : {}),
        containers: [shell(script)],
      },
    },
    ...spec,
  },
});
