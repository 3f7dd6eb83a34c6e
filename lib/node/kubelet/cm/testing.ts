import type { Container, Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { PodView } from './active-containers.ts';

/** The resources of a container in a test: requests with equal limits. */
export type Requests = Readonly<Record<string, string>>;

/** A container with equal requests and limits. `sidecar` makes it an init container that keeps running. */
export const aContainer = (name: string, requests: Requests, sidecar?: boolean): Container => ({
  name,
  resources: { requests: { ...requests }, limits: { ...requests } },
  ...defined({ restartPolicy: sidecar === true ? 'Always' : undefined }),
});

/** A pod whose uid is its name. */
export const aPod = (name: string, containers: Container[], initContainers: Container[] = []): Pod => ({
  metadata: { name, namespace: 'default', uid: name },
  spec: { containers, initContainers },
  status: {},
});

/** The pods of a node, all of them active. */
export class SomePods implements PodView {
  pods: Pod[] = [];
  statuses = new Map<string, PodStatus>();
  ready = true;

  activePods(): readonly Pod[] {
    return this.pods;
  }

  sourcesReady(): boolean {
    return this.ready;
  }

  podStatus(uid: string): PodStatus | undefined {
    return this.statuses.get(uid);
  }
}
