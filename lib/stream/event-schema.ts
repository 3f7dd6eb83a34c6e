import * as z from 'zod';

/** The sections of an object. An event lists those that changed. */
const SECTIONS = ['metadata', 'spec', 'status', 'allocatable', 'data', 'other'] as const;

const version = z.string().regex(/^[1-9][0-9]{0,15}$/);

/** The `detail` of an event on the bus. docs/events.schema.json is generated from it. */
export const changeEventSchema = z
  .object({
    format: z.literal(1).describe('Raised when a field changes its meaning; new fields may come without.'),
    clusterId: z.string().describe('Of the control plane, as the deployment names it.'),
    cluster: z.string().describe('The logical cluster within it: main unless there are several.'),
    sequence: z
      .string()
      .describe('The log whose positions are the resource versions: they compare within one sequence only.'),
    type: z.enum(['ADDED', 'MODIFIED', 'DELETED']),
    apiVersion: z.string().describe('Of the version that is stored.'),
    kind: z.string(),
    resource: z.string().describe('The plural name, as in paths.'),
    namespace: z.string().optional().describe('Absent for what is cluster-scoped.'),
    name: z.string(),
    uid: z.string(),
    resourceVersion: version.describe(
      'Of this change. A consumer drops what is not newer than what it has seen of the object.',
    ),
    previousResourceVersion: version.optional().describe('Absent for ADDED.'),
    generation: z.int().optional().describe('Absent for kinds that have none.'),
    changed: z
      .array(z.enum(SECTIONS))
      .optional()
      .describe(
        'Of MODIFIED: the parts that differ; data stands for data, binaryData and stringData, other for all further fields; ' +
          'allocatable is told beside status where a Node can give away more or less. ' +
          'resourceVersion, generation and managedFields do not count. Absent where the state before is no longer known.',
      ),
    pod: z
      .object({
        nodeName: z.string().describe('Empty while it waits for one.'),
        schedulerName: z.string(),
        phase: z.string(),
      })
      .optional()
      .describe('Of a Pod only: by which rules tell those that wait for a node.'),
  })
  .meta({ title: 'Object change', description: 'One committed change of one object. It never holds the object.' });

/** The `detail` of an event on the bus. */
export type ChangeEvent = z.infer<typeof changeEventSchema>;
/** A section of an object. */
export type Section = (typeof SECTIONS)[number];
