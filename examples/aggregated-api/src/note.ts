import {
  type CallContext,
  type KubernetesObject,
  notFound,
  type ObjectEvent,
  type ResourceStorage,
} from '@davit-dev/davit/aggregated';

/** A note. */
export interface Note extends KubernetesObject {
  readonly spec: { readonly text: string };
}

/** The storage of notes. */
export type NoteStore = Required<ResourceStorage<Note>>;

/** A change to a note. */
export type Change = Exclude<ObjectEvent<Note>, { readonly type: 'BOOKMARK' }>;

/** The resource that errors name. */
export const RESOURCE = { group: 'notes.example.com', resource: 'notes' };

/** The key of a note. Notes of the same namespace sort together. */
export const keyOf = (namespace = '', name = ''): string => `${namespace}/${name}`;

/** The words of a note, one by one. */
export async function* words(store: NoteStore, name: string, context: CallContext): AsyncGenerator<string> {
  const note = await existing(store, name, context);
  for (const word of note.spec.text.split(/\s+/)) yield `${word}\n`;
}

/** The text of a note, followed by each later version of it until the note is deleted. */
export async function* follow(store: NoteStore, name: string, context: CallContext): AsyncGenerator<string> {
  const { resourceVersion } = await store.list(context);
  const note = await existing(store, name, context);
  yield note.spec.text;
  for await (const event of store.watch(resourceVersion, context)) {
    if (event.type === 'BOOKMARK' || event.object.metadata.name !== name) continue;
    if (event.type === 'DELETED') return;
    if (event.object.metadata.resourceVersion !== note.metadata.resourceVersion) yield event.object.spec.text;
  }
}

async function existing(store: NoteStore, name: string, context: CallContext): Promise<Note> {
  const note = await store.get(name, context);
  if (note === undefined) throw notFound(RESOURCE, name);
  return note;
}
