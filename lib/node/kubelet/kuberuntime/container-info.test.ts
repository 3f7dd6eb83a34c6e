import { expect, test } from 'vitest';
import type { Container } from '#lib/api/types/core.v1.ts';
import { hashContainer } from '../container/hash.ts';
import { aPod } from '../testing/pods.ts';
import { containerInfoFromAnnotations, containerInfoFromLabels } from './container-info.ts';
import { newContainerAnnotations, newContainerLabels } from './labels.ts';

const container: Container = {
  name: 'app',
  image: 'i',
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  ports: [{ name: 'http', containerPort: 80 }],
  lifecycle: { preStop: { exec: { command: ['echo', '<bye> & so'] } } },
};
const pod = aPod('web', {
  metadata: { deletionGracePeriodSeconds: 7 },
  spec: { terminationGracePeriodSeconds: 30n, containers: [container] },
});

test('reads the facts that were written to labels and annotations', () => {
  expect(containerInfoFromLabels(newContainerLabels(container, pod))).toEqual({
    podName: 'web',
    podNamespace: 'default',
    podUID: 'uid-web',
    containerName: 'app',
  });
  expect(containerInfoFromAnnotations(newContainerAnnotations(container, pod, { restartCount: 3, extra: {} }))).toEqual(
    {
      hash: hashContainer(container),
      restartCount: 3,
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
      podDeletionGracePeriod: 7,
      podTerminationGracePeriod: 30,
      preStopHandler: container.lifecycle?.preStop,
      ports: container.ports,
    },
  );
});

test('ignores missing and invalid annotations', () => {
  const nothing = containerInfoFromAnnotations({});
  expect(nothing).toMatchObject({ hash: '', restartCount: 0, preStopHandler: undefined, ports: [] });
  const broken = Object.fromEntries(
    ['container.restartCount', 'container.preStopHandler', 'container.ports', 'pod.deletionGracePeriod'].map((name) => [
      `io.kubernetes.${name}`,
      '{"a',
    ]),
  );
  expect(containerInfoFromAnnotations(broken)).toEqual(nothing);
});
