import * as z from 'zod';
import type { ResourceRequirements } from '#lib/api/types/core.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import { marshal } from '#lib/machinery/go.ts';
import { isQuantity } from '#lib/machinery/resource/quantities.ts';
import { CorruptCheckpointError } from '../checkpointmanager/checkpoint-store.ts';
import { checksumOf, goString } from '../checkpointmanager/checksum.ts';
import { goRequirements } from './resource-requirements.ts';

/** The resources of one pod. */
export interface PodResourceInfo {
  readonly containers: ReadonlyMap<string, ResourceRequirements>;
  /** The pod-level resources, or undefined without any. */
  readonly pod: ResourceRequirements | undefined;
}

/** The resources of pods, by uid. */
export type PodResourceInfoMap = ReadonlyMap<string, PodResourceInfo>;

const listSchema = z.record(z.string(), z.string().refine(isQuantity));
const requirementsSchema = z.object({
  limits: listSchema.optional(),
  requests: listSchema.optional(),
  claims: z.array(z.object({ name: z.string(), request: z.string().optional() })).optional(),
});
const dataSchema = z.object({
  entries: z
    .record(
      z.string(),
      z.object({
        ContainerResources: z.record(z.string(), requirementsSchema).nullish(),
        PodLevelResources: requirementsSchema.nullish(),
      }),
    )
    .default({}),
});
const checkpointSchema = z.object({ data: z.string(), checksum: z.number() });

/** The text of a checkpoint in upstream's format. */
export function encodePodResources(pods: PodResourceInfoMap): string {
  const entries = [...pods].map(([uid, { containers, pod }]): [string, unknown] => [
    uid,
    new Map<string, unknown>([
      ['ContainerResources', Object.fromEntries([...containers].map(([name, one]) => [name, goRequirements(one)]))],
      ['PodLevelResources', pod === undefined ? null : goRequirements(pod)],
    ]),
  ]);
  const data = marshal(entries.length === 0 ? {} : { entries: Object.fromEntries(entries) });
  return marshal(
    new Map<string, unknown>([
      ['data', data],
      ['checksum', checksumOf(goString(data))],
    ]),
  );
}

/** Reads a checkpoint. Throws CorruptCheckpointError if the checksum differs, and Error if it is invalid. */
export function decodePodResources(bytes: Uint8Array): Map<string, PodResourceInfo> {
  const { data, checksum } = checkpointSchema.parse(JSON.parse(Buffer.from(bytes).toString()));
  if (checksum !== checksumOf(goString(data))) throw new CorruptCheckpointError();
  const { entries } = dataSchema.parse(JSON.parse(data));
  return new Map(
    Object.entries(entries).map(([uid, { ContainerResources, PodLevelResources }]) => [
      uid,
      {
        containers: new Map(Object.entries(ContainerResources ?? {}).map(([name, one]) => [name, requirements(one)])),
        pod: PodLevelResources == null ? undefined : requirements(PodLevelResources),
      },
    ]),
  );
}

const requirements = ({ limits, requests, claims }: z.infer<typeof requirementsSchema>): ResourceRequirements =>
  defined({ limits, requests, claims: claims?.map(({ name, request }) => ({ name, ...defined({ request }) })) });
