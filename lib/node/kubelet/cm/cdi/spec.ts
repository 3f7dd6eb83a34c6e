import * as z from 'zod';
import { issuesText } from '#lib/machinery/issues.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';

/** Supported versions of the specification. */
const VERSIONS = ['0.3.0', '0.4.0', '0.5.0', '0.6.0', '0.7.0', '0.8.0', '1.0.0', '1.1.0'];
/** Maximum number of fields and items in one file. */
const MAX_VALUES = 100_000;

const absolute = z.string().startsWith('/', 'must be an absolute path');
const nodeSchema = z.object({
  path: absolute,
  hostPath: absolute.optional(),
  type: z.enum(['b', 'c', 'u', 'p', '']).optional(),
  permissions: z
    .string()
    .regex(/^[rwm]*$/, 'must be letters of rwm')
    .optional(),
  fileMode: z.number().optional(),
  uid: z.number().optional(),
  gid: z.number().optional(),
});
const mountSchema = z.object({
  hostPath: z.string().min(1),
  containerPath: absolute,
  options: z.array(z.string()).default([]),
  type: z.string().default(''),
});
const editsSchema = z.object({
  env: z.array(z.string().regex(/^[^=]+=/, 'must be NAME=value')).default([]),
  deviceNodes: z.array(nodeSchema).default([]),
  netDevices: z.array(z.unknown()).default([]),
  mounts: z.array(mountSchema).default([]),
  hooks: z.array(z.unknown()).default([]),
  additionalGids: z.array(z.int().nonnegative()).default([]),
  intelRdt: z.unknown().optional(),
});
const kindSchema = z
  .string()
  .regex(
    /^[A-Za-z][\w.-]*[A-Za-z0-9]\/[A-Za-z]([\w-]*[A-Za-z0-9])?$/,
    'must be a vendor and a class, as vendor.com/class',
  );
const deviceSchema = z.object({
  name: z.string().regex(/^[A-Za-z0-9]([\w.:-]*[A-Za-z0-9])?$/, 'must be the name of a device'),
  containerEdits: editsSchema,
});
const specSchema = z.object({
  cdiVersion: z
    .string()
    .refine((version) => VERSIONS.includes(version.replace(/^v/, '')), 'is no version that is read'),
  kind: kindSchema,
  devices: z.array(deviceSchema).min(1, 'must have a device'),
  containerEdits: editsSchema.default(editsSchema.parse({})),
});

/** Changes to a container for a device (CDI's containerEdits). */
export type ContainerEdits = z.output<typeof editsSchema>;

/** A file of CDI devices of one kind (https://github.com/cncf-tags/container-device-interface). */
export type CDISpec = z.output<typeof specSchema>;

/** Reads a spec in YAML or JSON. Throws Error that names the file and all its problems. */
export function decodeCDISpec(path: string, bytes: Uint8Array): CDISpec {
  const { value } = decodeYaml(bytes, { maxValues: MAX_VALUES });
  const { success, data, error } = specSchema.safeParse(value);
  if (!success) throw new Error(`invalid CDI Spec ${path}: ${issuesText(error.issues)}`);
  const names = data.devices.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`invalid CDI Spec ${path}: multiple device "${twice}"`);
  return data;
}
