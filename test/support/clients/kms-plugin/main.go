// Command kms-plugin is a KMS v2 plugin on the library that upstream gives for such: it seals with keys of its own process,
// the one of which the file at its second argument names.
package main

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"time"

	"k8s.io/kms/pkg/service"
)

const salt = "salt.kms.example.com"

type plugin struct{ keyFile string }

func (p plugin) keyID() (string, error) {
	named, err := os.ReadFile(p.keyFile)
	return strings.TrimSpace(string(named)), err
}

func sealer(keyID string, salted []byte) (cipher.AEAD, error) {
	key := sha256.Sum256(append([]byte(keyID), salted...))
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

func (p plugin) Status(context.Context) (*service.StatusResponse, error) {
	keyID, err := p.keyID()
	return &service.StatusResponse{Version: "v2", Healthz: "ok", KeyID: keyID}, err
}

func (p plugin) Encrypt(_ context.Context, _ string, data []byte) (*service.EncryptResponse, error) {
	keyID, err := p.keyID()
	if err != nil {
		return nil, err
	}
	salted := make([]byte, 12)
	rand.Read(salted)
	aead, err := sealer(keyID, salted)
	if err != nil {
		return nil, err
	}
	return &service.EncryptResponse{
		Ciphertext:  aead.Seal(nil, salted, data, nil),
		KeyID:       keyID,
		Annotations: map[string][]byte{salt: salted},
	}, nil
}

func (p plugin) Decrypt(_ context.Context, _ string, req *service.DecryptRequest) ([]byte, error) {
	salted := req.Annotations[salt]
	if len(salted) != 12 {
		return nil, fmt.Errorf("%d bytes of salt", len(salted))
	}
	aead, err := sealer(req.KeyID, salted)
	if err != nil {
		return nil, err
	}
	return aead.Open(nil, salted, req.Ciphertext, nil)
}

func main() {
	served := service.NewGRPCService(os.Args[1], 5*time.Second, plugin{os.Args[2]})
	fmt.Println("ready")
	if err := served.ListenAndServe(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
