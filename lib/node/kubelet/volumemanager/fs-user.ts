import type { Pod } from '#lib/api/types/core.v1.ts';

/** The user that all containers of a pod run as. Undefined if a container does not specify one or they differ (upstream: FsUserFrom). */
export function fsUserOf({ spec }: Pod): number | undefined {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
  const users = containers.map(({ securityContext }) => securityContext?.runAsUser ?? spec.securityContext?.runAsUser);
  const [first] = users;
  return first !== undefined && users.every((user) => user !== undefined && Number(user) === Number(first))
    ? Number(first)
    : undefined;
}
