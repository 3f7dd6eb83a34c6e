import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** Attributes that hold URLs, by element: upstream's atomsToAttrs. */
const LINKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['a', ['href']],
  ['applet', ['codebase']],
  ['area', ['href']],
  ['audio', ['src']],
  ['base', ['href']],
  ['blockquote', ['cite']],
  ['body', ['background']],
  ['button', ['formaction']],
  ['command', ['icon']],
  ['del', ['cite']],
  ['embed', ['src']],
  ['form', ['action']],
  ['frame', ['longdesc', 'src']],
  ['head', ['profile']],
  ['html', ['manifest']],
  ['iframe', ['longdesc', 'src']],
  ['img', ['longdesc', 'src', 'usemap']],
  ['input', ['src', 'usemap', 'formaction']],
  ['ins', ['cite']],
  ['link', ['href']],
  ['object', ['classid', 'codebase', 'data', 'usemap']],
  ['q', ['cite']],
  ['script', ['src']],
  ['source', ['src']],
  ['video', ['poster', 'src']],
]);

/** The maximum number of characters of a buffered tag. Links of a longer tag stay unchanged. */
const MAX_TAG = 16 * 1024;
/** The number of bytes of a document within which links are rewritten. */
const MAX_DOCUMENT = 16 << 20;
/** The number of bytes processed between two yields to other requests. */
const PIECE = 16 * 1024;
/** The maximum length of a name in the tables. */
const MAX_NAME = 16;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  '\r': '&#13;',
};

interface Attribute {
  /** The position at which the attribute's name ends. */
  readonly from: number;
  value: string;
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Rewrites the links of the first 16 MiB of an HTML document as it arrives. Everything else passes byte for byte. `turn` yields to other
 * requests, because a megabyte may take a second and the sender can compress it to a kilobyte.
 */
export async function* rewriteHtml(
  document: AsyncIterable<Uint8Array>,
  rewrite: (link: string) => string,
  turn: () => Promise<void> | undefined = () => undefined,
): AsyncGenerator<Uint8Array> {
  const links = new LinkRewriter(rewrite);
  let left = MAX_DOCUMENT;
  for await (const piece of pieces(document)) {
    if (left <= 0) yield piece;
    if (left <= 0) continue;
    left -= piece.length;
    await turn();
    const done = links.write(Buffer.from(piece).toString('latin1')) + (left > 0 ? '' : links.end());
    if (done !== '') yield Buffer.from(done, 'latin1');
  }
  const rest = left > 0 ? links.end() : '';
  if (rest !== '') yield Buffer.from(rest, 'latin1');
}

async function* pieces(document: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of document)
    for (let at = 0; at < chunk.length; at += PIECE) yield chunk.subarray(at, at + PIECE);
}

/** Texts have one character per byte, and links are UTF-8. Positions count from the beginning of the document. */
class LinkRewriter {
  readonly #rewrite: (link: string) => string;
  readonly #tokenizer: Tokenizer;
  /** The text that is not yet emitted, and its position. */
  #text = '';
  #begin = 0;
  /** The position after the last complete token. */
  #whole = 0;
  #edits: Edit[] = [];
  #names: readonly string[] = [];
  #attribute: Attribute | undefined;

  constructor(rewrite: (link: string) => string) {
    this.#rewrite = rewrite;
    this.#tokenizer = new Tokenizer({ decodeEntities: true }, this.#callbacks());
  }

  /** Adds a part of the document. Returns the part that is finished. */
  write(chunk: string): string {
    this.#text += chunk;
    this.#tokenizer.write(chunk);
    const end = this.#begin + this.#text.length;
    return this.#handOut(end - this.#whole > MAX_TAG ? end : this.#whole);
  }

  end(): string {
    this.#tokenizer.end();
    return this.#handOut(this.#begin + this.#text.length);
  }

  #handOut(to: number): string {
    if (to <= this.#begin) return '';
    const parts: string[] = [];
    let at = this.#begin;
    for (const edit of this.#edits) {
      if (edit.to > to) break;
      parts.push(this.#slice(at, edit.from), edit.text);
      at = edit.to;
    }
    parts.push(this.#slice(at, to));
    this.#text = this.#slice(to);
    this.#begin = to;
    this.#edits = this.#edits.filter((edit) => edit.to > to);
    if (this.#attribute !== undefined && this.#attribute.from < to) this.#attribute = undefined;
    return parts.join('');
  }

  #slice(from: number, to?: number): string {
    return this.#text.slice(from - this.#begin, to === undefined ? undefined : to - this.#begin);
  }

  /** Returns the name. '' if it is too long, or if its beginning was already emitted. */
  #name(from: number, to: number): string {
    return from < this.#begin || to - from > MAX_NAME ? '' : this.#slice(from, to).toLowerCase();
  }

  #end(to: number): void {
    if (this.#attribute === undefined) return;
    const { from, value } = this.#attribute;
    this.#attribute = undefined;
    const link = Buffer.from(value, 'latin1').toString();
    const rewritten = this.#rewrite(link);
    if (rewritten === link) return;
    const escaped = rewritten.replaceAll(/[&'<>"\r]/g, (character) => ESCAPES[character] ?? character);
    this.#edits.push({ from, to, text: `="${Buffer.from(escaped).toString('latin1')}"` });
  }

  #callbacks(): TokenizerCallbacks {
    const whole = (end: number): void => void (this.#whole = Math.max(this.#whole, end));
    const through = (_start: number, end: number): void => whole(end);
    return {
      onopentagname: (start, end) => void (this.#names = LINKS.get(this.#name(start, end)) ?? []),
      onattribname: (start, end) => {
        if (this.#names.includes(this.#name(start, end))) this.#attribute = { from: end, value: '' };
      },
      onattribdata: (start, end) => {
        if (this.#attribute !== undefined) this.#attribute.value += this.#slice(start, end);
      },
      onattribentity: (codepoint) => {
        if (this.#attribute !== undefined)
          this.#attribute.value += Buffer.from(String.fromCodePoint(codepoint)).toString('latin1');
      },
      onattribend: (_quote, end) => this.#end(end),
      onopentagend: (end) => whole(end + 1),
      onselfclosingtag: (end) => whole(end + 1),
      onclosetag: through,
      oncomment: through,
      oncdata: through,
      ondeclaration: through,
      onprocessinginstruction: through,
      ontext: through,
      ontextentity: (_codepoint, end) => whole(end),
      onend: () => {},
    };
  }
}
