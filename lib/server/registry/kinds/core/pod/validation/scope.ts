import type { Integer } from '#lib/machinery/unstructured.ts';
import type { PodValidationOptions } from './options.ts';
import type { Volumes } from './volumes.ts';

/** The parts of a pod's spec that affect the rules for its containers. */
export interface PodScope {
  readonly volumes: Volumes;
  readonly claimNames: ReadonlySet<string>;
  readonly gracePeriod: Integer | undefined;
  readonly restartPolicy: string;
  readonly os: string | undefined;
  readonly hostUsers: boolean;
  readonly options: PodValidationOptions;
}
