import { volumesOf } from '#lib/component-helpers/storage/ephemeral/pod-claims.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { flag, has, text, texts } from '#lib/machinery/unstructured.ts';

/** What two pods of a node share only in some ways, by the field of a volume that says so. */
interface Disk {
  readonly field: string;
  isSame(a: JsonObject, b: JsonObject): boolean;
  /** Whether readers may share it. */
  readonly hasReaders: boolean;
}

const sameText =
  (field: string) =>
  (a: JsonObject, b: JsonObject): boolean =>
    text(a, field) === text(b, field);

const DISKS: readonly Disk[] = [
  { field: 'gcePersistentDisk', isSame: sameText('pdName'), hasReaders: true },
  { field: 'awsElasticBlockStore', isSame: sameText('volumeID'), hasReaders: false },
  { field: 'iscsi', isSame: sameText('iqn'), hasReaders: true },
  { field: 'rbd', isSame: isSameImage, hasReaders: true },
];

function isSameImage(a: JsonObject, b: JsonObject): boolean {
  const monitors = new Set(texts(a, 'monitors'));
  return sameText('pool')(a, b) && sameText('image')(a, b) && texts(b, 'monitors').some((one) => monitors.has(one));
}

export const needsCheck = (volume: JsonObject): boolean => DISKS.some(({ field }) => has(volume, field));

/** Whether two pods cannot be on one node because of a disk that both name. */
export const conflict = (pod: JsonObject, other: JsonObject): boolean =>
  volumesOf(pod).some((volume) => needsCheck(volume) && volumesOf(other).some((one) => collide(volume, one)));

const collide = (a: JsonObject, b: JsonObject): boolean =>
  DISKS.some(({ field, isSame, hasReaders }) => {
    const [one, other] = [objectAt(a, field), objectAt(b, field)];
    if (one === undefined || other === undefined || !isSame(one, other)) return false;
    return !(hasReaders && flag(one, 'readOnly') === true && flag(other, 'readOnly') === true);
  });
