import type { PodSpec } from '#lib/api/types/core.v1.ts';
import type { AnyContainer } from './check.ts';

const imageChanged = (container: AnyContainer, before: AnyContainer | undefined): boolean =>
  before === undefined || (container.image ?? '') !== (before.image ?? '');

/** Whether an update of a pod adds an image or a container that has not been checked. */
export function isSignificant(spec: PodSpec, before: PodSpec): boolean {
  for (const list of ['containers', 'initContainers'] as const) {
    const old = before[list] ?? [];
    const now = spec[list] ?? [];
    if (now.length !== old.length || now.some((container, i) => imageChanged(container, old[i]))) return true;
  }
  const debuggers = before.ephemeralContainers ?? [];
  return (spec.ephemeralContainers ?? []).some((container) =>
    imageChanged(
      container,
      debuggers.find(({ name }) => name === container.name),
    ),
  );
}
