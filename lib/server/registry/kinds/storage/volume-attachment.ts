import type {
  VolumeAttachment,
  VolumeAttachmentSource,
  VolumeAttachmentStatus,
  VolumeError,
} from '#lib/api/types/storage.v1.ts';
import { MAX_INT32 } from '#lib/machinery/integer-limits.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import { type FieldError, FieldPath, forbidden, invalid, required, tooLong } from '#lib/machinery/validation/field.ts';
import { byteLength, inclusiveRange } from '#lib/machinery/validation/messages.ts';
import type { KindStrategy } from '../../strategy.ts';
import { validateCSIDriverName } from '../core/persistent-volume/sources.ts';
import { validateVolumeSpec } from '../core/persistent-volume/validation.ts';
import { immutable } from '../shared/semantic.ts';
import { keepField } from '../shared/status.ts';
import { keepMetadata } from '../shared/status-metadata.ts';
import { objectName } from '../shared/validate.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');
const MAX_METADATA = 262_144;
const MAX_MESSAGE = 1024;

function validate({ spec, status }: VolumeAttachment): FieldError[] {
  const name = spec.source.persistentVolumeName;
  return [
    ...validateCSIDriverName(spec.attacher, SPEC.child('attacher')),
    ...sourceErrors(spec.source, SPEC.child('source')),
    ...objectName(spec.nodeName, SPEC.child('nodeName')),
    ...statusErrors(status),
    ...(name !== undefined ? objectName(name, FieldPath.of('spec.source.persistentVolumeName')) : []),
  ];
}

const EXACTLY_ONE = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

function sourceErrors(source: VolumeAttachmentSource, path: FieldPath): FieldError[] {
  const { inlineVolumeSpec: inline, persistentVolumeName: name } = source;
  if (name !== undefined && inline !== undefined) return [forbidden(path, EXACTLY_ONE)];
  if (name !== undefined) {
    const empty = 'must specify non empty persistentVolumeName';
    return name === '' ? [required(path.child('persistentVolumeName'), empty)] : [];
  }
  if (inline === undefined) return [required(path, EXACTLY_ONE)];
  const where = path.child('inlineVolumeSpec');
  return validateVolumeSpec(inline, { path: where, inline: true, name: '', allowInvalidLabelValues: false });
}

function statusErrors(status: VolumeAttachmentStatus): FieldError[] {
  const size = sortedEntries(status.attachmentMetadata).reduce((sum, pair) => sum + byteLength(pair.join('')), 0);
  return [
    ...(size > MAX_METADATA ? [tooLong(STATUS.child('attachmentMetadata'), MAX_METADATA)] : []),
    ...volumeError(status.attachError, STATUS.child('attachError')),
    ...volumeError(status.detachError, STATUS.child('detachError')),
  ];
}

function volumeError(error: VolumeError | undefined, path: FieldPath): FieldError[] {
  if (error === undefined) return [];
  const code = error.errorCode ?? 0;
  return [
    // The limit in upstream's message differs.
    ...(byteLength(error.message ?? '') > MAX_MESSAGE ? [tooLong(path.child('message'), MAX_METADATA)] : []),
    ...(code < 0 ? [invalid(path.child('errorCode'), code, inclusiveRange(0, MAX_INT32))] : []),
  ];
}

function specKept(attachment: VolumeAttachment, old: VolumeAttachment): FieldError[] {
  return immutable(attachment, old, 'spec', FieldPath.of(''), 'storage.v1.VolumeAttachment');
}

/** Upstream's pkg/registry/storage/volumeattachment. */
export const volumeAttachmentStrategy: KindStrategy<VolumeAttachment> = {
  allowUnconditionalUpdate: false,
  hasGeneration: false,
  prepareForCreate(attachment) {
    attachment.status = { attached: false };
  },
  prepareForUpdate: (attachment, old) => keepField(attachment, old, 'status'),
  validate,
  validateUpdate: (attachment, old) => [...validate(attachment), ...specKept(attachment, old)],
  subresources: {
    status: {
      prepareForUpdate(attachment, old) {
        keepField(attachment, old, 'spec');
        keepMetadata(attachment, old);
      },
      validateUpdate: (attachment, old) => [...validate(attachment), ...specKept(attachment, old)],
    },
  },
};
