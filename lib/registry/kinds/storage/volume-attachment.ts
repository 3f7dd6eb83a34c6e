import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, count, entries, has, text } from '#lib/machinery/unstructured.ts';
import { FieldPath, forbidden, invalid, required, tooLong, type FieldError } from '#lib/machinery/validation/field.ts';
import { byteLength, inclusiveRange } from '#lib/machinery/validation/messages.ts';
import type { KindStrategy } from '../../strategy.ts';
import { validateCSIDriverName } from '../core/persistent-volume/sources.ts';
import { validateVolumeSpec } from '../core/persistent-volume/validation.ts';
import { immutable } from '../shared/semantic.ts';
import { keepMetadata } from '../shared/status-metadata.ts';
import { keepField } from '../shared/status.ts';
import { objectName } from '../shared/validate.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');
const MAX_METADATA = 262_144;
const MAX_MESSAGE = 1024;

function validate(attachment: JsonObject): FieldError[] {
  const spec = objectAt(attachment, 'spec');
  const volume = at(attachment, 'spec', 'source');
  const name = text(volume, 'persistentVolumeName');
  return [
    ...validateCSIDriverName(text(spec, 'attacher'), SPEC.child('attacher')),
    ...sourceErrors(volume, SPEC.child('source')),
    ...objectName(text(spec, 'nodeName'), SPEC.child('nodeName')),
    ...statusErrors(objectAt(attachment, 'status')),
    ...(has(volume, 'persistentVolumeName') ? objectName(name, FieldPath.of('spec.source.persistentVolumeName')) : []),
  ];
}

const EXACTLY_ONE = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

function sourceErrors(source: JsonObject | undefined, path: FieldPath): FieldError[] {
  const inline = objectAt(source, 'inlineVolumeSpec');
  const named = has(source, 'persistentVolumeName');
  if (named && inline !== undefined) return [forbidden(path, EXACTLY_ONE)];
  if (named) {
    const where = path.child('persistentVolumeName');
    const empty = text(source, 'persistentVolumeName') === '';
    return empty ? [required(where, 'must specify non empty persistentVolumeName')] : [];
  }
  if (inline === undefined) return [required(path, EXACTLY_ONE)];
  const where = path.child('inlineVolumeSpec');
  return validateVolumeSpec(inline, { path: where, inline: true, name: '', allowInvalidLabelValues: false });
}

function statusErrors(status: JsonObject | undefined): FieldError[] {
  const size = entries(status, 'attachmentMetadata').reduce((sum, pair) => sum + byteLength(pair.join('')), 0);
  return [
    ...(size > MAX_METADATA ? [tooLong(STATUS.child('attachmentMetadata'), MAX_METADATA)] : []),
    ...volumeError(objectAt(status, 'attachError'), STATUS.child('attachError')),
    ...volumeError(objectAt(status, 'detachError'), STATUS.child('detachError')),
  ];
}

function volumeError(error: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (error === undefined) return [];
  const code = count(error, 'errorCode');
  return [
    // The limit that upstream's text names is another one.
    ...(byteLength(text(error, 'message')) > MAX_MESSAGE ? [tooLong(path.child('message'), MAX_METADATA)] : []),
    ...(code < 0 ? [invalid(path.child('errorCode'), code, inclusiveRange(0, 2_147_483_647))] : []),
  ];
}

function specKept(attachment: JsonObject, old: JsonObject): FieldError[] {
  return immutable(attachment, old, 'spec', FieldPath.of(''), 'storage.v1.VolumeAttachment');
}

/** Upstream's pkg/registry/storage/volumeattachment. */
export const volumeAttachmentStrategy: KindStrategy = {
  allowUnconditionalUpdate: false,
  hasGeneration: false,
  prepareForCreate(attachment) {
    attachment['status'] = { attached: false };
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
