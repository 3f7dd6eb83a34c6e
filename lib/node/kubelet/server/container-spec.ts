import type { Container, EphemeralContainer, Pod } from '#lib/api/types/core.v1.ts';

/** A container of a pod by name, of any kind (upstream: kubecontainer.GetContainerSpec). */
export const containerSpec = ({ spec }: Pod, wanted: string): Container | EphemeralContainer | undefined =>
  [...(spec.containers ?? []), ...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])].find(
    ({ name }) => name === wanted,
  );
