package io.sluice.security;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.osgi.framework.hooks.weaving.WeavingHook;
import org.osgi.framework.hooks.weaving.WovenClass;

/**
 * Lets Karaf's shell know who is logged in on Java 24 and later. There {@code Subject.getSubject(AccessControlContext)} always throws, and
 * {@code Subject.current()} gives what it gave before. Karaf 4.4 is compiled for Java 11, which has only the former, so its calls are replaced when its
 * classes are loaded.
 *
 * @see <a href="https://openjdk.org/jeps/486">JEP 486, which disabled the security manager for good</a>
 */
final class SubjectWeaver implements WeavingHook {

    private static final String BUNDLES = "org.apache.karaf.";
    private static final String SUBJECT = "javax/security/auth/Subject";
    private static final String OLD = "getSubject";
    private static final String OLD_TYPE = "(Ljava/security/AccessControlContext;)Ljavax/security/auth/Subject;";
    private static final String NEW = "current";
    private static final String NEW_TYPE = "()Ljavax/security/auth/Subject;";

    @Override
    public void weave(WovenClass woven) {
        String bundle = Objects.toString(woven.getBundleWiring().getBundle().getSymbolicName(), "");
        if (bundle.startsWith(BUNDLES)) {
            byte[] bytes = woven.getBytes();
            byte[] replaced = replace(bytes);
            if (replaced != bytes) {
                woven.setBytes(replaced);
            }
        }
    }

    /** @return the same array if there is nothing to replace */
    static byte[] replace(byte[] bytes) {
        // Most classes do not know the word; to look for it is much cheaper than to read the class.
        if (!new String(bytes, StandardCharsets.ISO_8859_1).contains(OLD)) {
            return bytes;
        }
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, 0);
        boolean[] found = new boolean[1];
        reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
                    @Override
                    public void visitMethodInsn(int opcode, String owner, String called, String type, boolean isInterface) {
                        if (owner.equals(SUBJECT) && called.equals(OLD) && type.equals(OLD_TYPE)) {
                            found[0] = true;
                            // The context that it was asked for lies on the stack.
                            super.visitInsn(Opcodes.POP);
                            super.visitMethodInsn(opcode, owner, NEW, NEW_TYPE, isInterface);
                        } else {
                            super.visitMethodInsn(opcode, owner, called, type, isInterface);
                        }
                    }
                };
            }
        }, 0);
        return found[0] ? writer.toByteArray() : bytes;
    }
}
