import { createHash } from 'node:crypto';
import * as z from 'zod';
import { defined } from '#lib/machinery/defined.ts';
import type { ImagePulledRecord, PullRecords } from './records.ts';

/** Files in subdirectories of the agent's directory. Methods reject if the disk fails. */
export interface RecordFiles {
  /** The names in a directory. Empty if it does not exist. */
  list(folder: string): Promise<readonly string[]>;
  /** Undefined if the file does not exist. */
  read(folder: string, name: string): Promise<Uint8Array | undefined>;
  /** Writes atomically, readable only by the owner. Creates the directory. */
  write(folder: string, name: string, bytes: Uint8Array): Promise<void>;
  /** Does nothing if the file does not exist. */
  remove(folder: string, name: string): Promise<void>;
}

const PULLING = 'image_manager/pulling';
const PULLED = 'image_manager/pulled';
const PREFIX = 'sha256-';
const API_VERSION = 'kubelet.config.k8s.io/v1beta1';
/** Both versions have the same fields. */
const apiVersion = z.enum([API_VERSION, 'kubelet.config.k8s.io/v1alpha1']);

const account = z.strictObject({ uid: z.string(), namespace: z.string(), name: z.string() });
const credentials = z.strictObject({
  kubernetesSecrets: z.array(account.extend({ credentialHash: z.string() })).optional(),
  kubernetesServiceAccounts: z.array(account).optional(),
  nodePodsAccessible: z.boolean().optional(),
});
const intentSchema = z.strictObject({ kind: z.literal('ImagePullIntent'), apiVersion, image: z.string() });
const recordSchema = z.strictObject({
  kind: z.literal('ImagePulledRecord'),
  apiVersion,
  lastUpdatedTime: z.iso.datetime({ offset: true }),
  imageRef: z.string(),
  credentialMapping: z.record(z.string(), credentials).optional(),
});

/** Records in upstream's file format: JSON, named by the SHA-256 of the image or its id. */
export function filePullRecords(files: RecordFiles): PullRecords {
  return {
    async listIntents() {
      const intents = await readable(files, PULLING, intentOf);
      return intents.map(({ image }) => image);
    },
    async hasIntent(image) {
      const bytes = await files.read(PULLING, fileName(image));
      return bytes !== undefined && intentOf(bytes).image === image;
    },
    writeIntent: (image) =>
      files.write(PULLING, fileName(image), json({ kind: 'ImagePullIntent', apiVersion: API_VERSION, image })),
    deleteIntent: (image) => files.remove(PULLING, fileName(image)),
    listRecords: () => readable(files, PULLED, recordOf),
    async readRecord(imageRef) {
      const bytes = await files.read(PULLED, fileName(imageRef));
      const record = bytes && recordOf(bytes);
      return record?.imageRef === imageRef ? record : undefined;
    },
    writeRecord: ({ lastUpdatedTime, imageRef, credentialMapping }) =>
      files.write(
        PULLED,
        fileName(imageRef),
        json({
          kind: 'ImagePulledRecord',
          apiVersion: API_VERSION,
          lastUpdatedTime,
          imageRef,
          ...(credentialMapping.size > 0 && { credentialMapping: Object.fromEntries(credentialMapping) }),
        }),
      ),
    deleteRecord: (imageRef) => files.remove(PULLED, fileName(imageRef)),
  };
}

const fileName = (key: string): string => PREFIX + createHash('sha256').update(key).digest('hex');

const json = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`);

const parsed = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString());

const intentOf = (bytes: Uint8Array): z.infer<typeof intentSchema> => intentSchema.parse(parsed(bytes));

function recordOf(bytes: Uint8Array): ImagePulledRecord {
  const { lastUpdatedTime, imageRef, credentialMapping = {} } = recordSchema.parse(parsed(bytes));
  const mapping = Object.entries(credentialMapping).map(([image, known]) => [image, defined(known)] as const);
  return { lastUpdatedTime, imageRef, credentialMapping: new Map(mapping) };
}

/** The decoded files of a directory, without invalid ones. */
async function readable<T>(files: RecordFiles, folder: string, decode: (bytes: Uint8Array) => T): Promise<T[]> {
  const found: T[] = [];
  for (const name of await files.list(folder)) {
    if (!name.startsWith(PREFIX) || name.endsWith('.tmp')) continue;
    const bytes = await files.read(folder, name);
    try {
      if (bytes !== undefined) found.push(decode(bytes));
    } catch {
      // A file of another version, or a truncated one. The image counts as not pulled, or is pulled again.
    }
  }
  return found;
}
