// Written by `npm run generate:grpc`.
import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";

export interface ListPodResourcesRequest {
}

export interface ListPodResourcesResponse {
  podResources: PodResources[];
}

export interface PodResources {
  name: string;
  namespace: string;
  containers: ContainerResources[];
}

export interface ContainerResources {
  name: string;
  devices: ContainerDevices[];
}

export interface ContainerDevices {
  resourceName: string;
  deviceIds: string[];
}

function createBaseListPodResourcesRequest(): ListPodResourcesRequest {
  return {};
}

export const ListPodResourcesRequest: MessageFns<ListPodResourcesRequest> = {
  encode(_: ListPodResourcesRequest, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListPodResourcesRequest {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListPodResourcesRequest();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
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

  create(base?: DeepPartial<ListPodResourcesRequest>): ListPodResourcesRequest {
    return ListPodResourcesRequest.fromPartial(base ?? {});
  },
  fromPartial(_: DeepPartial<ListPodResourcesRequest>): ListPodResourcesRequest {
    const message = createBaseListPodResourcesRequest();
    return message;
  },
};

function createBaseListPodResourcesResponse(): ListPodResourcesResponse {
  return { podResources: [] };
}

export const ListPodResourcesResponse: MessageFns<ListPodResourcesResponse> = {
  encode(message: ListPodResourcesResponse, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    for (const v of message.podResources) {
      PodResources.encode(v!, writer.uint32(10).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ListPodResourcesResponse {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseListPodResourcesResponse();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.podResources.push(PodResources.decode(reader, reader.uint32()));
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

  create(base?: DeepPartial<ListPodResourcesResponse>): ListPodResourcesResponse {
    return ListPodResourcesResponse.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ListPodResourcesResponse>): ListPodResourcesResponse {
    const message = createBaseListPodResourcesResponse();
    message.podResources = object.podResources?.map((e) => PodResources.fromPartial(e)) || [];
    return message;
  },
};

function createBasePodResources(): PodResources {
  return { name: "", namespace: "", containers: [] };
}

export const PodResources: MessageFns<PodResources> = {
  encode(message: PodResources, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.name !== "") {
      writer.uint32(10).string(message.name);
    }
    if (message.namespace !== "") {
      writer.uint32(18).string(message.namespace);
    }
    for (const v of message.containers) {
      ContainerResources.encode(v!, writer.uint32(26).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): PodResources {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBasePodResources();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.name = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.namespace = reader.string();
            continue;
          }
          case 3: {
            if (tag !== 26) {
              break;
            }

            message.containers.push(ContainerResources.decode(reader, reader.uint32()));
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

  create(base?: DeepPartial<PodResources>): PodResources {
    return PodResources.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<PodResources>): PodResources {
    const message = createBasePodResources();
    message.name = object.name ?? "";
    message.namespace = object.namespace ?? "";
    message.containers = object.containers?.map((e) => ContainerResources.fromPartial(e)) || [];
    return message;
  },
};

function createBaseContainerResources(): ContainerResources {
  return { name: "", devices: [] };
}

export const ContainerResources: MessageFns<ContainerResources> = {
  encode(message: ContainerResources, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.name !== "") {
      writer.uint32(10).string(message.name);
    }
    for (const v of message.devices) {
      ContainerDevices.encode(v!, writer.uint32(18).fork()).join();
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerResources {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerResources();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.name = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.devices.push(ContainerDevices.decode(reader, reader.uint32()));
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

  create(base?: DeepPartial<ContainerResources>): ContainerResources {
    return ContainerResources.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerResources>): ContainerResources {
    const message = createBaseContainerResources();
    message.name = object.name ?? "";
    message.devices = object.devices?.map((e) => ContainerDevices.fromPartial(e)) || [];
    return message;
  },
};

function createBaseContainerDevices(): ContainerDevices {
  return { resourceName: "", deviceIds: [] };
}

export const ContainerDevices: MessageFns<ContainerDevices> = {
  encode(message: ContainerDevices, writer: BinaryWriter = new BinaryWriter()): BinaryWriter {
    if (message.resourceName !== "") {
      writer.uint32(10).string(message.resourceName);
    }
    for (const v of message.deviceIds) {
      writer.uint32(18).string(v!);
    }
    return writer;
  },

  decode(input: BinaryReader | Uint8Array, length?: number): ContainerDevices {
    const reader = input instanceof BinaryReader ? input : new BinaryReader(input);
    const previousRecursionDepth = (reader as any).__tsProtoDecodeDepth ?? 0;
    if (previousRecursionDepth >= 100) {
      throw new globalThis.Error("protobuf decode recursion limit exceeded");
    }
    (reader as any).__tsProtoDecodeDepth = previousRecursionDepth + 1;
    try {
      const end = length === undefined ? reader.len : reader.pos + length;
      const message = createBaseContainerDevices();
      while (reader.pos < end) {
        const tag = reader.uint32();
        switch (tag >>> 3) {
          case 1: {
            if (tag !== 10) {
              break;
            }

            message.resourceName = reader.string();
            continue;
          }
          case 2: {
            if (tag !== 18) {
              break;
            }

            message.deviceIds.push(reader.string());
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

  create(base?: DeepPartial<ContainerDevices>): ContainerDevices {
    return ContainerDevices.fromPartial(base ?? {});
  },
  fromPartial(object: DeepPartial<ContainerDevices>): ContainerDevices {
    const message = createBaseContainerDevices();
    message.resourceName = object.resourceName ?? "";
    message.deviceIds = object.deviceIds?.map((e) => e) || [];
    return message;
  },
};

export type PodResourcesListerDefinition = typeof PodResourcesListerDefinition;
export const PodResourcesListerDefinition = {
  name: "PodResourcesLister",
  fullName: "v1alpha1.PodResourcesLister",
  methods: {
    list: {
      name: "List",
      requestType: ListPodResourcesRequest as typeof ListPodResourcesRequest,
      requestStream: false,
      responseType: ListPodResourcesResponse as typeof ListPodResourcesResponse,
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
