import { type NodeRequest, type NodeResponse, NodeServerError, textAnswer } from './node-request.ts';

/** The unescaped parts of a path that a route captures. */
export type PathParts = Readonly<Record<string, string>>;

/** Handles a request. */
export type RouteHandler = (request: NodeRequest, parts: PathParts) => NodeResponse | Promise<NodeResponse>;

/** A path of the server: literal segments, and captured ones in braces. */
export interface Route {
  readonly path: string;
  /** Absent for any method. */
  readonly methods?: readonly string[];
  readonly handle: RouteHandler;
}

/** Handles a request with the first route whose path and method match. Paths below a known first segment get go-restful's errors. */
export async function routed(routes: readonly Route[], request: NodeRequest): Promise<NodeResponse> {
  const segments = segmentsOf(request.path);
  const fitting = routes.flatMap((route) => {
    const parts = partsOf(route.path, segments);
    return parts === undefined ? [] : [{ route, parts }];
  });
  const found = fitting.find(({ route: { methods } }) => methods?.includes(request.method) !== false);
  if (found === undefined) return refusal(routes, segments[0] ?? '', fitting.length > 0);
  try {
    return await found.route.handle(request, found.parts);
  } catch (error) {
    if (error instanceof NodeServerError) {
      const answer = textAnswer(error.status, error.message);
      return { ...answer, headers: { ...answer.headers, ...error.headers } };
    }
    throw error;
  }
}

function refusal(routes: readonly Route[], first: string, isKnownPath: boolean): NodeResponse {
  if (isKnownPath) return textAnswer(405, '405: Method Not Allowed');
  const isRoom = routes.some(({ path }) => segmentsOf(path)[0] === first);
  return textAnswer(404, isRoom ? '404: Page Not Found' : '404 page not found\n');
}

/** The unescaped first segment of a path, which selects the routes. '' for an invalid path. */
export const firstSegment = (path: string): string => unescaped(segmentsOf(path)[0] ?? '') ?? '';

const segmentsOf = (path: string): readonly string[] => path.replace(/^\/|\/$/g, '').split('/');

/** Undefined if the path does not match. The last part may be `{name:*}`, which captures the rest. */
function partsOf(pattern: string, segments: readonly string[]): PathParts | undefined {
  const wanted = segmentsOf(pattern);
  const rest = /^\{(\w+):\*\}$/.exec(wanted.at(-1) ?? '')?.[1];
  if (rest === undefined ? wanted.length !== segments.length : segments.length < wanted.length) return undefined;
  const parts = new Map<string, string>();
  for (const [index, part] of wanted.entries()) {
    const isRest = rest !== undefined && index === wanted.length - 1;
    const given = unescaped(isRest ? segments.slice(index).join('/') : (segments[index] ?? ''));
    const name = isRest ? rest : /^\{(\w+)\}$/.exec(part)?.[1];
    if (
      given === undefined ||
      (name === undefined && given !== part) ||
      (name !== undefined && given === '' && !isRest)
    )
      return undefined;
    if (name !== undefined) parts.set(name, given);
  }
  return Object.fromEntries(parts);
}

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // an invalid path
  }
}
