// Written by `npm run generate:grpc`.
import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";

export interface NodePrepareResourcesRequest {
  claims: Claim[];
}

export interface NodePrepareResourcesResponse {
  claims: { [key: string]: NodePrepareResourceResponse };
}

export interface NodePrepareResourcesResponse_ClaimsEntry {
  key: string;
  value: NodePrepareResourceResponse | undefined;
}

export interface NodePrepareResourceResponse {
  devices: Device[];
  error: string;
}

export interface Device {
  requestNames: string[];
  poolName: string;
  deviceName: string;
  cdiDeviceIds: string[];
  shareId?: string | undefined;
}

export interface NodeUnprepareResourcesRequest {
  claims: Claim[];
}

export interface NodeUnprepareResourcesResponse {
  claims: { [key: string]: NodeUnprepareResourceResponse };
}

export interface NodeUnprepareResourcesResponse_ClaimsEntry {
  key: string;
  value: NodeUnprepareResourceResponse | undefined;
}

export interface NodeUnprepareResourceResponse {
  error: string;
}

export interface Claim {
  namespace: string;
  uid: string;
  name: string;
}

function createBaseNodePrepareResourcesRequest(): NodePrepareResourcesRequest {
  return { claims: [] };
}

export const NodePrepareResourcesRequest: MessageFns<NodePrepareResourcesRequest> = {
  encode(message: NodePrepareResourcesRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.claims) {
      Claim.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodePrepareResourcesRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodePrepareResourcesRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.claims.push(Claim.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodePrepareResourcesRequest>): NodePrepareResourcesRequest {
    return NodePrepareResourcesRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodePrepareResourcesRequest>): NodePrepareResourcesRequest {
    const message = createBaseNodePrepareResourcesRequest();
    message.claims = object.claims?.map((e) => Claim.fromPartial(e)) || [];
    return message;
  },
};

function createBaseNodePrepareResourcesResponse(): NodePrepareResourcesResponse {
  return { claims: {} };
}

export const NodePrepareResourcesResponse: MessageFns<NodePrepareResourcesResponse> = {
  encode(message: NodePrepareResourcesResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    globalThis.Object.entries(message.claims).forEach(([key, value]: [string, NodePrepareResourceResponse]) => {
      NodePrepareResourcesResponse_ClaimsEntry.encode({ key: key as any, value }, writer.uint32(10).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodePrepareResourcesResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodePrepareResourcesResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            const entry1 = NodePrepareResourcesResponse_ClaimsEntry.decode(reader, reader.uint32());
            if (entry1.value !== undefined) {
              message.claims[entry1.key] = entry1.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodePrepareResourcesResponse>): NodePrepareResourcesResponse {
    return NodePrepareResourcesResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodePrepareResourcesResponse>): NodePrepareResourcesResponse {
    const message = createBaseNodePrepareResourcesResponse();
    message.claims = (globalThis.Object.entries(object.claims ?? {}) as [string, NodePrepareResourceResponse][]).reduce(
      (acc: { [key: string]: NodePrepareResourceResponse }, [key, value]: [string, NodePrepareResourceResponse]) => {
        if (value !== undefined) {
          acc[key] = NodePrepareResourceResponse.fromPartial(value);
        }
        return acc;
      },
      {},
    );
    return message;
  },
};

function createBaseNodePrepareResourcesResponse_ClaimsEntry(): NodePrepareResourcesResponse_ClaimsEntry {
  return { key: "", value: undefined };
}

export const NodePrepareResourcesResponse_ClaimsEntry: MessageFns<NodePrepareResourcesResponse_ClaimsEntry> = {
  encode(message: NodePrepareResourcesResponse_ClaimsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== undefined) {
      NodePrepareResourceResponse.encode(message.value, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodePrepareResourcesResponse_ClaimsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodePrepareResourcesResponse_ClaimsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = NodePrepareResourceResponse.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodePrepareResourcesResponse_ClaimsEntry>): NodePrepareResourcesResponse_ClaimsEntry {
    return NodePrepareResourcesResponse_ClaimsEntry.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodePrepareResourcesResponse_ClaimsEntry>): NodePrepareResourcesResponse_ClaimsEntry {
    const message = createBaseNodePrepareResourcesResponse_ClaimsEntry();
    message.key = object.key ?? "";
    message.value = (object.value !== undefined && object.value !== null)
      ? NodePrepareResourceResponse.fromPartial(object.value)
      : undefined;
    return message;
  },
};

function createBaseNodePrepareResourceResponse(): NodePrepareResourceResponse {
  return { devices: [], error: "" };
}

export const NodePrepareResourceResponse: MessageFns<NodePrepareResourceResponse> = {
  encode(message: NodePrepareResourceResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.devices) {
      Device.encode(v!, writer.uint32(10).fork()).join();
    }
    if (message.error !== "") {
      writer.uint32(18).string(message.error);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodePrepareResourceResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodePrepareResourceResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.devices.push(Device.decode(reader, reader.uint32()));
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.error = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodePrepareResourceResponse>): NodePrepareResourceResponse {
    return NodePrepareResourceResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodePrepareResourceResponse>): NodePrepareResourceResponse {
    const message = createBaseNodePrepareResourceResponse();
    message.devices = object.devices?.map((e) => Device.fromPartial(e)) || [];
    message.error = object.error ?? "";
    return message;
  },
};

function createBaseDevice(): Device {
  return { requestNames: [], poolName: "", deviceName: "", cdiDeviceIds: [], shareId: undefined };
}

export const Device: MessageFns<Device> = {
  encode(message: Device, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.requestNames) {
      writer.uint32(10).string(v!);
    }
    if (message.poolName !== "") {
      writer.uint32(18).string(message.poolName);
    }
    if (message.deviceName !== "") {
      writer.uint32(26).string(message.deviceName);
    }
    for (const v of message.cdiDeviceIds) {
      writer.uint32(34).string(v!);
    }
    if (message.shareId !== undefined) {
      writer.uint32(42).string(message.shareId);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Device {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseDevice();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.requestNames.push(reader.string());
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.poolName = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.deviceName = reader.string();
            continue;
          }
          case 4: {
            if (tag !== 34) {
              break;
            }

            message.cdiDeviceIds.push(reader.string());
            continue;
          }
          case 5: {
            if (tag !== 42) {
              break;
            }

            message.shareId = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<Device>): Device {
    return Device.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<Device>): Device {
    const message = createBaseDevice();
    message.requestNames = object.requestNames?.map((e) => e) || [];
    message.poolName = object.poolName ?? "";
    message.deviceName = object.deviceName ?? "";
    message.cdiDeviceIds = object.cdiDeviceIds?.map((e) => e) || [];
    message.shareId = object.shareId ?? undefined;
    return message;
  },
};

function createBaseNodeUnprepareResourcesRequest(): NodeUnprepareResourcesRequest {
  return { claims: [] };
}

export const NodeUnprepareResourcesRequest: MessageFns<NodeUnprepareResourcesRequest> = {
  encode(message: NodeUnprepareResourcesRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.claims) {
      Claim.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeUnprepareResourcesRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeUnprepareResourcesRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.claims.push(Claim.decode(reader, reader.uint32()));
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeUnprepareResourcesRequest>): NodeUnprepareResourcesRequest {
    return NodeUnprepareResourcesRequest.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodeUnprepareResourcesRequest>): NodeUnprepareResourcesRequest {
    const message = createBaseNodeUnprepareResourcesRequest();
    message.claims = object.claims?.map((e) => Claim.fromPartial(e)) || [];
    return message;
  },
};

function createBaseNodeUnprepareResourcesResponse(): NodeUnprepareResourcesResponse {
  return { claims: {} };
}

export const NodeUnprepareResourcesResponse: MessageFns<NodeUnprepareResourcesResponse> = {
  encode(message: NodeUnprepareResourcesResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    globalThis.Object.entries(message.claims).forEach(([key, value]: [string, NodeUnprepareResourceResponse]) => {
      NodeUnprepareResourcesResponse_ClaimsEntry.encode({ key: key as any, value }, writer.uint32(10).fork()).join();
    });
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeUnprepareResourcesResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeUnprepareResourcesResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            const entry1 = NodeUnprepareResourcesResponse_ClaimsEntry.decode(reader, reader.uint32());
            if (entry1.value !== undefined) {
              message.claims[entry1.key] = entry1.value;
            }
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeUnprepareResourcesResponse>): NodeUnprepareResourcesResponse {
    return NodeUnprepareResourcesResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodeUnprepareResourcesResponse>): NodeUnprepareResourcesResponse {
    const message = createBaseNodeUnprepareResourcesResponse();
    message.claims = (globalThis.Object.entries(object.claims ?? {}) as [string, NodeUnprepareResourceResponse][])
      .reduce(
        (
          acc: { [key: string]: NodeUnprepareResourceResponse },
          [key, value]: [string, NodeUnprepareResourceResponse],
        ) => {
          if (value !== undefined) {
            acc[key] = NodeUnprepareResourceResponse.fromPartial(value);
          }
          return acc;
        },
        {},
      );
    return message;
  },
};

function createBaseNodeUnprepareResourcesResponse_ClaimsEntry(): NodeUnprepareResourcesResponse_ClaimsEntry {
  return { key: "", value: undefined };
}

export const NodeUnprepareResourcesResponse_ClaimsEntry: MessageFns<NodeUnprepareResourcesResponse_ClaimsEntry> = {
  encode(message: NodeUnprepareResourcesResponse_ClaimsEntry, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.key !== "") {
      writer.uint32(10).string(message.key);
    }
    if (message.value !== undefined) {
      NodeUnprepareResourceResponse.encode(message.value, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeUnprepareResourcesResponse_ClaimsEntry {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeUnprepareResourcesResponse_ClaimsEntry();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.key = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.value = NodeUnprepareResourceResponse.decode(reader, reader.uint32());
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeUnprepareResourcesResponse_ClaimsEntry>): NodeUnprepareResourcesResponse_ClaimsEntry {
    return NodeUnprepareResourcesResponse_ClaimsEntry.fromPartial(base ?? {});
  },
  fromPartial(
    object: DeepPartial<NodeUnprepareResourcesResponse_ClaimsEntry>,
  ): NodeUnprepareResourcesResponse_ClaimsEntry {
    const message = createBaseNodeUnprepareResourcesResponse_ClaimsEntry();
    message.key = object.key ?? "";
    message.value = (object.value !== undefined && object.value !== null)
      ? NodeUnprepareResourceResponse.fromPartial(object.value)
      : undefined;
    return message;
  },
};

function createBaseNodeUnprepareResourceResponse(): NodeUnprepareResourceResponse {
  return { error: "" };
}

export const NodeUnprepareResourceResponse: MessageFns<NodeUnprepareResourceResponse> = {
  encode(message: NodeUnprepareResourceResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.error !== "") {
      writer.uint32(10).string(message.error);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): NodeUnprepareResourceResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseNodeUnprepareResourceResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.error = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<NodeUnprepareResourceResponse>): NodeUnprepareResourceResponse {
    return NodeUnprepareResourceResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<NodeUnprepareResourceResponse>): NodeUnprepareResourceResponse {
    const message = createBaseNodeUnprepareResourceResponse();
    message.error = object.error ?? "";
    return message;
  },
};

function createBaseClaim(): Claim {
  return { namespace: "", uid: "", name: "" };
}

export const Claim: MessageFns<Claim> = {
  encode(message: Claim, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.namespace !== "") {
      writer.uint32(10).string(message.namespace);
    }
    if (message.uid !== "") {
      writer.uint32(18).string(message.uid);
    }
    if (message.name !== "") {
      writer.uint32(26).string(message.name);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): Claim {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseClaim();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.namespace = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.uid = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.name = reader.string();
            continue;
          }
        }
        if ((tag & 7) === 4 || tag === 0) {
          break;
        }
        reader.skip(tag & 7);
      }
      return message;
    } finally {
      (reader as any).__tsProtoDecodeDepth = previousRecursionDepth;
    }
  },

  create(base?: DeepPartial<Claim>): Claim {
    return Claim.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<Claim>): Claim {
    const message = createBaseClaim();
    message.namespace = object.namespace ?? "";
    message.uid = object.uid ?? "";
    message.name = object.name ?? "";
    return message;
  },
};

export type DRAPluginDefinition = typeof DRAPluginDefinition;
export const DRAPluginDefinition = {
  name: "DRAPlugin",
  fullName: "k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin",
  methods: {
    nodePrepareResources: {
      name: "NodePrepareResources",
      requestType: NodePrepareResourcesRequest as typeof NodePrepareResourcesRequest,
      requestStream: false,
      responseType: NodePrepareResourcesResponse as typeof NodePrepareResourcesResponse,
      responseStream: false,
      options: {},
    },
    nodeUnprepareResources: {
      name: "NodeUnprepareResources",
      requestType: NodeUnprepareResourcesRequest as typeof NodeUnprepareResourcesRequest,
      requestStream: false,
      responseType: NodeUnprepareResourcesResponse as typeof NodeUnprepareResourcesResponse,
      responseStream: false,
      options: {},
    },
  },
} as const;

type Builtin = Date | Function | Uint8Array | string | number | boolean | undefined;

export type DeepPartial<T> = T extends Builtin ? T
  : T extends globalThis.Array<infer U> ? globalThis.Array<DeepPartial<U>>
  : T extends ReadonlyArray<infer U> ? ReadonlyArray<DeepPartial<U>>
  : T extends {} ? { [K in keyof T]?: DeepPartial<T[K]> }
  : Partial<T>;

export interface MessageFns<T> {
  encode(message: T, writer?: BinaryWriter): BinaryWriter;
  decode(input: BinaryReader | Uint8Array, length?: number): T;
  create(base?: DeepPartial<T>): T;
  fromPartial(object: DeepPartial<T>): T;
}
